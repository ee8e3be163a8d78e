// SPDX-License-Identifier: MIT
#include "trace-io/import/paraver/prv_header.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace reprise::trace_io {
namespace {

class Scan {
 public:
  Scan(PrvReader& in, std::string_view text) : in_(in), text_(text) {}
  std::int64_t number(const char* what) {
    std::int64_t value = 0;
    const auto [rest, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc{} || value < 0)
      in_.refuse("the header's " + std::string(what) + " is missing",
                 "it begins with \"#Paraver (DATE):DURATION:NODES:APPLICATIONS:\"");
    text_.remove_prefix(static_cast<std::size_t>(rest - text_.data()));
    return value;
  }
  bool take(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void skip_to(char c) {
    const auto at = text_.find(c);
    text_.remove_prefix(at == std::string_view::npos ? text_.size() : at);
  }
  void skip_word() {
    while (!text_.empty() &&
           (std::isalpha(static_cast<unsigned char>(text_.front())) != 0 || text_.front() == '_'))
      text_.remove_prefix(1);
  }
  bool at_end() const { return text_.empty(); }
  std::string_view rest() const { return text_; }

 private:
  PrvReader& in_;
  std::string_view text_;
};

}  // namespace

PrvHeader read_prv_header(PrvReader& in) {
  if (!in.next() || !in.line().starts_with("#Paraver"))
    in.refuse("is not the header of a Paraver trace",
              "it begins with \"#Paraver (DATE):DURATION:\"");
  Scan scan(in, in.line());
  scan.skip_to(')');
  scan.take(')');
  scan.take(':');
  PrvHeader header;
  header.duration = scan.number("duration");
  header.tick = scan.rest().starts_with("_ns") ? 1 : 1000;
  if (header.duration > (std::int64_t{1} << 62) / header.tick)
    in.refuse("its duration is too long");
  header.duration *= header.tick;
  scan.skip_word();
  scan.take(':');
  scan.number("number of nodes");
  if (scan.take('(')) scan.skip_to(')');
  scan.take(')');
  scan.take(':');
  const std::int64_t applications = scan.number("number of applications");
  while (scan.take(':') || scan.take(',')) {
    const std::int64_t count = scan.number("number of tasks");
    if (!scan.take('(')) continue;  // the number of communicators
    if (count > kMaxRanks) in.refuse("has " + std::to_string(count) + " tasks, more than a trace");
    auto& tasks = header.applications.emplace_back();
    for (std::int64_t t = 0; t < count; ++t) {
      const std::int64_t threads = scan.number("number of threads");
      scan.take(':');
      const std::int64_t node = scan.number("node of a task");
      tasks.push_back({static_cast<std::int32_t>(std::min<std::int64_t>(threads, 1 << 30)),
                       static_cast<std::int32_t>(std::min<std::int64_t>(node, 1 << 30))});
      scan.take(',');
    }
    scan.take(')');
  }
  if (header.applications.empty() || header.applications.front().empty() ||
      static_cast<std::int64_t>(header.applications.size()) != applications)
    in.refuse("its header describes " + std::to_string(header.applications.size()) +
              " applications of " + std::to_string(applications));
  return header;
}

void read_prv_communicator(PrvReader& in, ImportedJob& job,
                           std::unordered_map<std::int64_t, std::uint32_t>& numbers,
                           std::uint64_t& passed_over) {
  if (in.line().starts_with("i:")) {
    ++passed_over;
    return;
  }
  const auto& line = in.numbers("communicator", 1);
  if (line.size() < 3 || line[2] < 1 || static_cast<std::size_t>(line[2]) != line.size() - 3)
    in.refuse("a communicator whose number of tasks is not that of its list");
  if (line[0] != 1) return;
  std::vector<std::int32_t> members;
  std::vector<bool> seen(static_cast<std::size_t>(job.ranks));
  for (std::size_t i = 3; i < line.size(); ++i) {
    if (line[i] < 1 || line[i] > job.ranks || seen[static_cast<std::size_t>(line[i] - 1)]) {
      ++passed_over;
      return;
    }
    seen[static_cast<std::size_t>(line[i] - 1)] = true;
    members.push_back(static_cast<std::int32_t>(line[i] - 1));
  }
  numbers[line[1]] = members.size() == 1 && job.ranks > 1
                         ? job.add_self()
                         : job.add_communicator(std::move(members));
}

}  // namespace reprise::trace_io
