// SPDX-License-Identifier: MIT
#include "sim/mpip/write.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "trace-io/base/error.hpp"

namespace reprise::sim::mpip {
namespace {

constexpr std::size_t kWidth = 75;

__attribute__((format(printf, 2, 3))) void print(std::string& text, const char* format, ...) {
  char buffer[256];
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  if (static_cast<std::size_t>(length) < sizeof buffer) {
    text.append(buffer, static_cast<std::size_t>(length));
  } else {
    std::string longer(static_cast<std::size_t>(length) + 1, '\0');
    std::vsnprintf(longer.data(), longer.size(), format, again);
    longer.pop_back();
    text += longer;
  }
  va_end(again);
}

void heading(std::string& text, const std::string& title) {
  const std::string rule(kWidth, '-');
  std::string line = "@--- " + title + " ";
  if (line.size() < kWidth) line.append(kWidth - line.size(), '-');
  text += rule + "\n" + line + "\n" + rule + "\n";
}

std::string rank_text(std::int32_t rank) { return rank == kAllRanks ? "*" : std::to_string(rank); }

void write_header(std::string& text, const Report& report) {
  text += "@ mpiP\n@ Command : " + report.command + " \n";
  for (const auto& [name, value] : report.header)
    print(text, "%-2s%-25s: %s\n", "@", name.c_str(), value.c_str());
  for (std::size_t rank = 0; rank < report.hosts.size(); ++rank)
    print(text, "%-2s%-25s: %zu %s\n", "@", "MPI Task Assignment", rank,
          report.hosts[rank].c_str());
  text += "\n";
}

void write_tasks(std::string& text, const Report& report) {
  heading(text, "MPI Time (seconds)");
  print(text, "%-4s %10s %10s    %5s\n", "Task", "AppTime", "MPITime", "MPI%");
  for (const auto& [rank, task] : report.tasks)
    print(text, "%4d %10.3g %10.3g    %5.2lf\n", rank, task.app_s.value, task.mpi_s.value,
          task.mpi_percent);
  if (report.all_tasks)
    print(text, "   * %10.3g %10.3g    %5.2lf\n", report.all_tasks->app_s.value,
          report.all_tasks->mpi_s.value, report.all_tasks->mpi_percent);
}

void write_call_sites(std::string& text, const Report& report) {
  if (report.sites.empty()) return;
  int file_width = report.file_width, function_width = report.function_width;
  for (const auto& [id, site] : report.sites) {
    for (const auto& frame : site.frames) {
      if (frame.resolved) file_width = std::max(file_width, static_cast<int>(frame.file.size()));
      function_width = std::max(function_width, static_cast<int>(frame.function.size()));
    }
  }
  heading(text, "Callsites: " + std::to_string(report.sites.size()));
  print(text, "%3s %3s %-*s %5s %-*s %s\n", "ID", "Lev", file_width, "File/Address", "Line",
        function_width, "Parent_Funct", "MPI_Call");
  for (const auto& [id, site] : report.sites) {
    for (std::size_t level = 0; level < site.frames.size(); ++level) {
      const auto& frame = site.frames[level];
      const char* operation = level == 0 ? site.operation.c_str() : "";
      if (frame.resolved)
        print(text, "%3d %3zu %-*s %5d %-*s %s\n", id, level, file_width, frame.file.c_str(),
              frame.line, function_width, frame.function.c_str(), operation);
      else
        print(text, "%3d %3zu %-*s %-*s %s\n", id, level, file_width + 6, frame.file.c_str(),
              function_width, frame.function.c_str(), operation);
    }
  }
}

void write_aggregate_time(std::string& text, const Report& report) {
  heading(text, "Aggregate Time (top twenty, descending, milliseconds)");
  const bool with_variation =
      std::any_of(report.aggregate_time.begin(), report.aggregate_time.end(),
                  [](const auto& row) { return row.variation; });
  print(text, "%-20s %4s %12s%6s  %6s     %6s", "Call", "Site", "Time  ", "App%", "MPI%", "Count");
  text += with_variation ? "    COV\n" : "\n";
  for (const auto& row : report.aggregate_time) {
    print(text, "%-20s %4d %10.3g  %6.2lf  %6.2lf %10llu", row.operation.c_str(), row.site,
          row.time_ms.value, row.app_percent, row.mpi_percent,
          static_cast<unsigned long long>(row.count));
    if (row.variation) print(text, " %6.2lf", *row.variation);
    text += "\n";
  }
}

void write_aggregate_size(std::string& text, const char* title, const char* percent,
                          const std::vector<AggregateSize>& rows) {
  if (rows.empty()) return;
  heading(text, title);
  print(text, "%-20s %4s %10s %10s %10s %6s\n", "Call", "Site", "Count", "Total", "Avrg", percent);
  for (const auto& row : rows)
    print(text, "%-20s %4d %10llu %10.3g %10.3g %6.2lf\n", row.operation.c_str(), row.site,
          static_cast<unsigned long long>(row.count), row.total.value, row.average.value,
          row.percent);
}

void write_histogram(std::string& text, const char* title, const char* percent,
                     const std::vector<HistogramLine>& rows) {
  if (rows.empty()) return;
  heading(text, title);
  print(text, "%-20s %10s %21s %21s\n", "Call", percent, "Comm Size", "Data Size");
  const auto range = [](std::uint64_t low, std::uint64_t high) {
    std::string bin;
    print(bin, "%8llu - %8llu", static_cast<unsigned long long>(low),
          static_cast<unsigned long long>(high));
    return bin;
  };
  for (const auto& row : rows)
    print(text, "%-20s %10.3g  %20s  %20s\n", row.operation.c_str(), row.percent,
          range(row.comm_low, row.comm_high).c_str(), range(row.data_low, row.data_high).c_str());
}

// The blank line between call sites; reports that were generated collectively (-l) have one after the last as well.
class Gap {
 public:
  explicit Gap(const Report& report)
      : is_collective_(report.header_value("Report generation") == "Collective") {}
  void before(std::string& text) {
    if (is_due_ && !is_collective_) text += "\n";
    is_due_ = false;
  }
  void after(std::string& text, std::int32_t rank) {
    is_due_ = rank == kAllRanks;
    if (is_due_ && is_collective_) text += "\n";
  }

 private:
  bool is_collective_, is_due_ = false;
};

void write_site_time(std::string& text, const Report& report) {
  if (report.site_time.empty()) return;
  const auto ranks = std::count_if(report.site_time.begin(), report.site_time.end(),
                                   [](const auto& row) { return row.rank != kAllRanks; });
  heading(text, "Callsite Time statistics (all, milliseconds): " + std::to_string(ranks));
  print(text, "%-17s %4s %4s %6s %8s %8s %8s %6s %6s\n", "Name", "Site", "Rank", "Count", "Max",
        "Mean", "Min", "App%", "MPI%");
  Gap gap(report);
  for (const auto& row : report.site_time) {
    gap.before(text);
    print(text, "%-17s %4d %4s %6llu %8.3g %8.3g %8.3g %6.2lf %6.2lf\n", row.operation.c_str(),
          row.site, rank_text(row.rank).c_str(), static_cast<unsigned long long>(row.count),
          row.max_ms.value, row.mean_ms.value, row.min_ms.value, row.app_percent, row.mpi_percent);
    gap.after(text, row.rank);
  }
}

void write_site_size(std::string& text, const Report& report, const char* title,
                     const std::vector<SiteSize>& rows) {
  if (rows.empty()) return;
  heading(text, title);
  print(text, "%-17s %4s %4s %7s %9s %9s %9s %9s\n", "Name", "Site", "Rank", "Count", "Max", "Mean",
        "Min", "Sum");
  Gap gap(report);
  for (const auto& row : rows) {
    gap.before(text);
    print(text, "%-17s %4d %4s %7llu %9.4g %9.4g %9.4g %9.4g\n", row.operation.c_str(), row.site,
          rank_text(row.rank).c_str(), static_cast<unsigned long long>(row.count), row.max.value,
          row.mean.value, row.min.value, row.sum.value);
    gap.after(text, row.rank);
  }
}

}  // namespace

std::string write_report(const Report& report) {
  REPRISE_ASSERT(!report.concise && !report.fixed_point,
                 "only verbose reports in the default number format are written");
  std::string text;
  write_header(text, report);
  write_tasks(text, report);
  write_call_sites(text, report);
  write_aggregate_time(text, report);
  write_aggregate_size(text, "Aggregate Sent Message Size (top twenty, descending, bytes)", "Sent%",
                       report.aggregate_sent);
  write_histogram(text, "Aggregate Collective Time (top twenty, descending)", "MPI Time %",
                  report.collective_time);
  write_histogram(text, "Aggregate Point-To-Point Sent (top twenty, descending)", "MPI Sent %",
                  report.point_to_point_sent);
  write_aggregate_size(text, "Aggregate I/O Size (top twenty, descending, bytes)", "I/O%",
                       report.aggregate_io);
  write_aggregate_size(text, "Aggregate RMA Origin Size (top twenty, descending, bytes)", "I/O%",
                       report.aggregate_rma);
  write_site_time(text, report);
  write_site_size(text, report, "Callsite Message Sent statistics (all, sent bytes)",
                  report.site_sent);
  write_site_size(text, report, "Callsite I/O statistics (all, I/O bytes)", report.site_io);
  write_site_size(text, report, "Callsite RMA statistics (all, origin bytes)", report.site_rma);
  heading(text, "End of Report");
  return text;
}

}  // namespace reprise::sim::mpip
