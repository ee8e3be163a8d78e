// SPDX-License-Identifier: MIT
#include "sim/mpip/read.hpp"

#include <algorithm>

#include "sim/mpip/sections.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/text_file.hpp"

namespace reprise::sim::mpip {
namespace {

constexpr std::string_view kSectionMark = "@--- ";

bool is_rule(std::string_view text) {
  return text.size() >= 10 && text.find_first_not_of('-') == std::string_view::npos;
}

std::string_view without_trailing(std::string_view text, char c) {
  while (text.ends_with(c)) text.remove_suffix(1);
  return text;
}

// "@--- MPI Time (seconds) -----": the title is padded with dashes.
std::string title_of(std::string_view line) {
  line.remove_prefix(kSectionMark.size());
  return std::string(without_trailing(without_trailing(line, '-'), ' '));
}

void read_header_line(const Line& line, Report& report) {
  auto text = line.text.substr(2);
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return;  // "@ mpiP"
  const std::string name(without_trailing(text.substr(0, colon), ' '));
  text.remove_prefix(colon + 1);
  if (text.starts_with(' ')) text.remove_prefix(1);
  if (name == "Command") {
    report.command = without_trailing(text, ' ');
    return;
  }
  if (name == "MPI Task Assignment") {
    const auto blank = text.find(' ');
    if (blank != std::string_view::npos) report.hosts.emplace_back(text.substr(blank + 1));
    return;
  }
  report.header.emplace_back(name, text);
}

// Whether mpiP was told -e; reports from the wild do not always keep the variable, so the numbers themselves are asked too:
// all of the task table have three decimals, which significant digits would have only by chance.
bool is_fixed_point(const std::vector<Section>& sections, const Report& report) {
  if ((" " + report.header_value("MPIP env var")).find(" -e") != std::string::npos) return true;
  for (const auto& section : sections) {
    if (!section.title.starts_with("MPI Time")) continue;
    return section.body.size() > 1 &&
           std::all_of(section.body.begin() + 1, section.body.end(), [&](const Line& line) {
             Row row(line, section.file);
             if (row.left() < 4) return false;
             row.word("Task");
             const auto three_decimals = [](const std::string& word) {
               const auto point = word.find('.');
               return point != std::string::npos && word.size() - point == 4 &&
                      word.find('e') == std::string::npos;
             };
             return three_decimals(row.word("AppTime")) && three_decimals(row.word("MPITime"));
           });
  }
  return false;
}

void read_section(const Section& section, Report& report) {
  const std::string& title = section.title;
  const auto is = [&](std::string_view start) { return title.starts_with(start); };
  const bool over_ranks = title.find("(all callsites") != std::string::npos;
  if (is("MPI Time")) return read_tasks(section, report);
  if (is("Task Time Statistics")) return read_task_statistics(section, report);
  if (is("Callsites")) return read_call_sites(section, report);
  if (is("Aggregate Time")) return read_aggregate_time(section, report);
  if (is("Aggregate Sent Message Size"))
    report.aggregate_sent = read_aggregate_size(section);
  else if (is("Aggregate I/O Size"))
    report.aggregate_io = read_aggregate_size(section);
  else if (is("Aggregate RMA"))
    report.aggregate_rma = read_aggregate_size(section);
  else if (is("Aggregate Collective Time"))
    report.collective_time = read_histogram(section);
  else if (is("Aggregate Point-To-Point Sent"))
    report.point_to_point_sent = read_histogram(section);
  else if (is("Callsite Time statistics") && over_ranks)
    report.time_over_ranks = read_over_ranks(section);
  else if (is("Callsite Message Sent statistics") && over_ranks)
    report.sent_over_ranks = read_over_ranks(section);
  else if (is("Callsite I/O statistics") && over_ranks)
    report.io_over_ranks = read_over_ranks(section);
  else if (is("Callsite RMA") && over_ranks)
    report.rma_over_ranks = read_over_ranks(section);
  else if (is("Callsite Time statistics") || is("Callsite statistics"))
    read_site_time(section, report);
  else if (is("Callsite Message Sent statistics"))
    report.site_sent = read_site_size(section);
  else if (is("Callsite I/O statistics"))
    report.site_io = read_site_size(section);
  else if (is("Callsite RMA"))
    report.site_rma = read_site_size(section);
  else
    throw InputError(section.file + ":" + std::to_string(section.line),
                     "an unknown section \"" + title + "\"",
                     "supported are reports of mpiP 3.1 to 3.5");
}

// Every row's call site must be in the list, where there is one, and be one of its own operation.
template <class Rows>
void check_sites(const Rows& rows, const Report& report, const std::string& file,
                 const char* section) {
  if (report.sites.empty()) return;
  for (const auto& row : rows) {
    const auto found = report.sites.find(row.site);
    if (found == report.sites.end())
      throw InputError(file,
                       std::string(section) + " names call site " + std::to_string(row.site) +
                           ", which is not listed",
                       "the report is damaged");
    if (found->second.operation != row.operation)
      throw InputError(file,
                       std::string(section) + " has " + row.operation + " at call site " +
                           std::to_string(row.site) + ", which is listed as " +
                           found->second.operation,
                       "the report is damaged");
  }
}

void check(const Report& report, const std::string& file) {
  check_sites(report.aggregate_time, report, file, "Aggregate Time");
  check_sites(report.aggregate_sent, report, file, "Aggregate Sent Message Size");
  check_sites(report.site_time, report, file, "Callsite Time statistics");
  check_sites(report.site_sent, report, file, "Callsite Message Sent statistics");
  check_sites(report.site_io, report, file, "Callsite I/O statistics");
  check_sites(report.site_rma, report, file, "Callsite RMA statistics");
  check_sites(report.time_over_ranks, report, file, "Callsite Time statistics");
  check_sites(report.sent_over_ranks, report, file, "Callsite Message Sent statistics");
  for (const auto& row : report.site_time)
    if (row.rank != kAllRanks && !report.tasks.empty() && !report.tasks.contains(row.rank))
      throw InputError(file,
                       "Callsite Time statistics has a row of rank " + std::to_string(row.rank) +
                           ", which the task table does not list",
                       "the report is damaged");
}

}  // namespace

std::string Report::header_value(const std::string& name) const {
  for (const auto& [key, value] : header)
    if (key == name) return value;
  return "";
}

std::int32_t Report::ranks() const {
  return static_cast<std::int32_t>(tasks.empty() ? hosts.size() : tasks.size());
}

Report read_report(std::string_view text, const std::string& file) {
  const auto lines = lines_of(text);
  if (lines.empty() || without_trailing(lines.front().text, ' ') != "@ mpiP")
    throw InputError(file, "this is not an mpiP report: its first line is not \"@ mpiP\"",
                     "mpiP writes NAME.RANKS.PID.1.mpiP when the program ends");
  Report report;
  std::vector<Section> sections;
  bool ended = false;
  for (std::size_t i = 0; i < lines.size() && !ended; ++i) {
    if (lines[i].text.starts_with(kSectionMark)) {
      Section section{title_of(lines[i].text), lines[i].number, {}, file};
      ended = section.title == "End of Report";
      std::size_t begin = i + 1;
      if (begin < lines.size() && is_rule(lines[begin].text)) ++begin;
      std::size_t end = begin;
      while (end < lines.size() && !is_rule(lines[end].text)) ++end;
      section.body = std::span(lines).subspan(begin, end - begin);
      if (!ended) sections.push_back(std::move(section));
      i = end - 1;
    } else if (sections.empty() && lines[i].text.starts_with("@ ")) {
      read_header_line(lines[i], report);
    }
  }
  if (!ended)
    throw InputError(file + ":" + std::to_string(lines.back().number),
                     "the report ends before its \"End of Report\"",
                     "it was cut off while it was written or copied: take the whole file");
  report.fixed_point = is_fixed_point(sections, report);
  for (auto& section : sections) {
    section.fixed_point = report.fixed_point;
    read_section(section, report);
  }
  report.concise = report.task_statistics.has_value();
  check(report, file);
  return report;
}

Report load_report(const std::string& path) { return read_report(read_text_file(path), path); }

}  // namespace reprise::sim::mpip
