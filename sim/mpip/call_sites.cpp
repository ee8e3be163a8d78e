// SPDX-License-Identifier: MIT
// The table of call sites, read by the columns of its heading:
//    ID Lev File/Address        Line Parent_Funct             MPI_Call
// A row is printed "%3d %3d %-*s %5d %-*s %s"; an unresolved one has its address in place of file and line.
#include <charconv>

#include "sim/mpip/sections.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim::mpip {
namespace {

struct Columns {
  std::size_t file, line_end, function, operation;
};

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

Columns columns_of(const Line& heading, const std::string& place) {
  const auto file = heading.text.find("File/Address"), line = heading.text.find(" Line "),
             function = heading.text.find("Parent_Funct"),
             operation = heading.text.find("MPI_Call");
  if (file == std::string_view::npos || line == std::string_view::npos ||
      function == std::string_view::npos || operation == std::string_view::npos)
    throw InputError(place, "the call sites' heading is \"" + std::string(heading.text) + "\"",
                     "expected the columns ID, Lev, File/Address, Line, Parent_Funct, MPI_Call");
  return {file, line + 5, function, operation};
}

// Reads the number at the start of `text` and the blank after it; false where there is none.
bool take_number(std::string_view& text, std::int32_t& value) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return false;
  const auto [end, error] = std::from_chars(text.data() + begin, text.data() + text.size(), value);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!text.empty() && text.front() != ' ') return false;
  if (!text.empty()) text.remove_prefix(1);
  return true;
}

}  // namespace

void read_call_sites(const Section& section, Report& report) {
  if (section.body.empty()) return;
  const auto columns = columns_of(section.body.front(),
                                  section.file + ":" + std::to_string(section.body.front().number));
  const std::size_t file_width =
      columns.line_end - 6 - columns.file;  // "%5s" and a blank stand between
  const std::size_t function_width = columns.operation - columns.function - 1;
  report.file_width = static_cast<std::int32_t>(file_width);
  report.function_width = static_cast<std::int32_t>(function_width);
  for (const auto& line : section.body.subspan(1)) {
    if (trimmed(line.text).empty()) continue;
    const auto refuse = [&](const std::string& problem) {
      throw InputError(section.file + ":" + std::to_string(line.number), problem,
                       "the report is damaged, or not from mpiP 3.1 to 3.5");
    };
    auto rest = line.text;
    std::int32_t id = 0, level = 0;
    if (!take_number(rest, id) || !take_number(rest, level))
      refuse("a call site without its ID and Lev");
    if (rest.size() < file_width) refuse("the call site's row ends within its file name");
    StackFrame frame;
    auto after_file = rest.substr(file_width);
    if (take_number(after_file, frame.line)) {
      frame.resolved = true;
      frame.file = trimmed(rest.substr(0, file_width));
    } else {
      if (rest.size() < file_width + 7) refuse("the call site's row ends before its function");
      frame.file = trimmed(rest.substr(0, file_width + 6));
      after_file = rest.substr(file_width + 7);
    }
    frame.function = trimmed(after_file.substr(0, function_width));
    const auto operation = after_file.size() > function_width
                               ? trimmed(after_file.substr(function_width))
                               : std::string_view();
    auto& site = report.sites[id];
    if (static_cast<std::size_t>(level) != site.frames.size())
      refuse("call site " + std::to_string(id) + " has a level " + std::to_string(level) +
             " after " + std::to_string(site.frames.size()) + " levels");
    if (level == 0) {
      if (operation.empty()) refuse("call site " + std::to_string(id) + " names no MPI call");
      site.operation = operation;
    }
    site.frames.push_back(std::move(frame));
  }
}

}  // namespace reprise::sim::mpip
