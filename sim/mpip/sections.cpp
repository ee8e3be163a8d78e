// SPDX-License-Identifier: MIT
#include "sim/mpip/sections.hpp"

#include <cmath>

#include "trace-io/base/error.hpp"

namespace reprise::sim::mpip {
namespace {

constexpr int kTimeDigits = 3, kSizeDigits = 4;

bool is_blank(const Line& line) {
  return line.text.find_first_not_of(" \t") == std::string_view::npos;
}

// Calls f(row) for each row after the heading of columns; blank lines separate call sites and mean nothing.
template <class F>
void for_each_row(const Section& section, F f) {
  for (const auto& line : section.body.subspan(section.body.empty() ? 0 : 1)) {
    if (is_blank(line)) continue;
    Row row(line, section.file);
    f(row);
    row.end();
  }
}

bool heading_has(const Section& section, std::string_view column) {
  return !section.body.empty() && section.body.front().text.find(column) != std::string_view::npos;
}

TaskTimeStatistics::Row statistics_row(Row& row, bool with_ranks, double* percent) {
  TaskTimeStatistics::Row read;
  read.app_s = row.real("AppTime");
  read.mpi_s = row.real("MPITime");
  if (with_ranks) {
    read.app_rank = row.number("App Task");
    read.mpi_rank = row.number("MPI Task");
  }
  if (percent != nullptr) *percent = row.real("MPI%");
  return read;
}

}  // namespace

void read_tasks(const Section& section, Report& report) {
  for_each_row(section, [&](Row& row) {
    const auto rank = row.rank("Task");
    TaskTime task;
    task.app_s = row.printed("AppTime", kTimeDigits, section.fixed_point);
    task.mpi_s = row.printed("MPITime", kTimeDigits, section.fixed_point);
    task.mpi_percent = row.real("MPI%");
    if (rank == kAllRanks)
      report.all_tasks = task;
    else
      report.tasks[rank] = task;
  });
}

void read_task_statistics(const Section& section, Report& report) {
  TaskTimeStatistics read;
  for_each_row(section, [&](Row& row) {
    const auto name = row.word("statistic");
    if (name == "Max")
      read.max = statistics_row(row, true, nullptr);
    else if (name == "Mean")
      read.mean = statistics_row(row, false, nullptr);
    else if (name == "Min")
      read.min = statistics_row(row, true, nullptr);
    else if (name == "Stddev")
      read.standard_deviation = statistics_row(row, false, nullptr);
    else if (name == "Aggregate")
      read.aggregate = statistics_row(row, false, &read.mpi_percent);
    else
      throw InputError(section.file, "section \"" + section.title + "\" has a row \"" + name + "\"",
                       "expected Max, Mean, Min, Stddev, Aggregate");
  });
  report.task_statistics = read;
}

void read_aggregate_time(const Section& section, Report& report) {
  const bool has_variation = heading_has(section, "COV");
  for_each_row(section, [&](Row& row) {
    AggregateTime read;
    read.operation = row.word("Call");
    read.site = row.number("Site");
    read.time_ms = row.printed("Time", kTimeDigits, section.fixed_point);
    read.app_percent = row.real("App%");
    read.mpi_percent = row.real("MPI%");
    if (row.left() > 0) read.count = row.count("Count");  // versions before 3.4 print no count
    if (has_variation) read.variation = row.real("COV");
    report.aggregate_time.push_back(std::move(read));
  });
}

std::vector<AggregateSize> read_aggregate_size(const Section& section) {
  std::vector<AggregateSize> rows;
  for_each_row(section, [&](Row& row) {
    AggregateSize read;
    read.operation = row.word("Call");
    if (read.operation ==
        "Total") {  // "Total send/collective operation calls >= 100 bytes : 18 of 18 operations" (-m)
      while (row.left() > 0) row.word("threshold");
      return;
    }
    read.site = row.number("Site");
    read.count = row.count("Count");
    read.total = row.printed("Total", kTimeDigits, section.fixed_point);
    read.average = row.printed("Avrg", kTimeDigits, section.fixed_point);
    read.percent = row.real("percentage");
    rows.push_back(std::move(read));
  });
  return rows;
}

std::vector<HistogramLine> read_histogram(const Section& section) {
  std::vector<HistogramLine> rows;
  if (!section.body.empty() && section.body.front().text.starts_with("No ")) return rows;
  const auto range = [](Row& row, const char* column, std::uint64_t& low, std::uint64_t& high) {
    low = row.count(column);
    if (row.peek() == "-") row.word(column);
    high = row.count(column);
  };
  for_each_row(section, [&](Row& row) {
    HistogramLine read;
    read.operation = row.word("Call");
    read.percent = row.real("percentage");
    range(row, "Comm Size", read.comm_low, read.comm_high);
    range(row, "Data Size", read.data_low, read.data_high);
    rows.push_back(std::move(read));
  });
  return rows;
}

void read_site_time(const Section& section, Report& report) {
  for_each_row(section, [&](Row& row) {
    SiteTime read;
    read.operation = row.word("Name");
    read.site = row.number("Site");
    read.rank = row.rank("Rank");
    read.count = row.count("Count");
    read.max_ms = row.printed("Max", kTimeDigits, section.fixed_point);
    read.mean_ms = row.printed("Mean", kTimeDigits, section.fixed_point);
    read.min_ms = row.printed("Min", kTimeDigits, section.fixed_point);
    read.app_percent = row.real("App%");
    read.mpi_percent = row.real("MPI%");
    report.site_time.push_back(std::move(read));
  });
}

std::vector<SiteSize> read_site_size(const Section& section) {
  std::vector<SiteSize> rows;
  for_each_row(section, [&](Row& row) {
    SiteSize read;
    read.operation = row.word("Name");
    read.site = row.number("Site");
    read.rank = row.rank("Rank");
    read.count = row.count("Count");
    read.max = row.printed("Max", kSizeDigits, section.fixed_point);
    read.mean = row.printed("Mean", kSizeDigits, section.fixed_point);
    read.min = row.printed("Min", kSizeDigits, section.fixed_point);
    read.sum = row.printed("Sum", kSizeDigits, section.fixed_point);
    rows.push_back(std::move(read));
  });
  return rows;
}

std::vector<SiteOverRanks> read_over_ranks(const Section& section) {
  std::vector<SiteOverRanks> rows;
  for_each_row(section, [&](Row& row) {
    SiteOverRanks read;
    read.operation = row.word("Name");
    read.site = row.number("Site");
    read.tasks = row.count("Tasks");
    read.max = row.printed("Max", kSizeDigits, section.fixed_point);
    read.mean = row.printed("Mean", kSizeDigits, section.fixed_point);
    read.min = row.printed("Min", kSizeDigits, section.fixed_point);
    read.max_rank = row.number("MaxRnk");
    read.min_rank = row.number("MinRnk");
    rows.push_back(std::move(read));
  });
  return rows;
}

}  // namespace reprise::sim::mpip
