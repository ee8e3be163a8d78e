// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>

#include "sim/cli/trace_actions.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/tables.hpp"
#include "sim/validation/run_record.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/text/line_difference.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::cli {
namespace {

using trace_io::LineEdit;

constexpr std::size_t kMostEdits = 2000;  // beyond that traces are simply different
constexpr std::size_t kShownLines = 40;
constexpr double kShareThatMatters =
    0.01;  // of all application time: below it a procedure's time is not shown

struct Pair {
  double first = 0, second = 0;
  bool differs() const { return first != second; }
};

std::string percent_apart(const Pair& pair) {
  if (pair.first <= 0) return "";
  return formatted(" (%+.1f %%)", 100 * (pair.second / pair.first - 1));
}

class Comparison {
 public:
  Comparison(const NamedTrace& first, const NamedTrace& second, bool with_sites)
      : first_(first), second_(second), with_sites_(with_sites) {}

  TraceDifference run() {
    compare_structure();
    compare_headers();
    compare_calls();
    compare_times();
    TraceDifference result;
    result.same_structure = same_;
    result.text = (same_ ? first_.path + " and " + second_.path + ": the same structure\n"
                         : first_.path + " and " + second_.path + ": DIFFERENT\n") +
                  text_;
    json_["structure"] = same_ ? "same" : "different";
    result.json = json_text(json_);
    return result;
  }

 private:
  void fact(const std::string& name, const std::string& a, const std::string& b, bool matters) {
    if (a == b) return;
    text_ += formatted("  %-14s ", name.c_str()) + a + " | " + b + "\n";
    json_["header"][name] = {a, b};
    if (matters) same_ = false;
  }

  void compare_headers() {
    const auto &a = first_.trace.header, &b = second_.trace.header;
    const auto timing = [](const trace_io::Header& header) {
      const char* kind = header.timing == trace_io::Timing::stat        ? "stat"
                         : header.timing == trace_io::Timing::histogram ? "histogram"
                                                                        : "path";
      return std::string(kind) + ", " + std::to_string(header.bins) + " bins, " +
             (header.clock == trace_io::Clock::cpu ? "cpu" : "wall") + " clock";
    };
    fact("program", a.program, b.program, false);
    fact("ranks", std::to_string(a.ranks), std::to_string(b.ranks), true);
    fact("mpi", a.mpi_library, b.mpi_library, false);
    fact("timing", timing(a), timing(b), false);
    fact("complete", a.complete ? "yes" : "no", b.complete ? "yes" : "no", true);
  }

  void compare_structure() {
    const auto ours = structure_lines(first_.trace, with_sites_),
               theirs = structure_lines(second_.trace, with_sites_);
    const auto script = trace_io::line_difference(ours, theirs, kMostEdits);
    auto& lines = json_["lines"] = nlohmann::ordered_json::array();
    if (!script) {
      same_ = false;
      structure_ = formatted("  more than %zu lines differ (%zu and %zu lines)\n", kMostEdits,
                             ours.size(), theirs.size());
      return;
    }
    std::size_t differing = 0;
    for (const LineEdit& edit : *script) {
      if (edit.kind == LineEdit::Kind::same) continue;
      const bool is_first = edit.kind == LineEdit::Kind::only_first;
      const std::string line = (is_first ? "- " : "+ ") + (is_first ? ours : theirs)[edit.line];
      if (++differing <= kShownLines) structure_ += "  " + line + "\n";
      lines.push_back(line);
    }
    if (differing > kShownLines)
      structure_ +=
          formatted("  … %zu more lines (--format json lists all)\n", differing - kShownLines);
    if (differing > 0) same_ = false;
  }

  void compare_calls() {
    std::map<std::string, std::pair<Pair, Pair>> procedures;  // calls, bytes
    const auto collect = [&](const trace_io::Trace& trace, double Pair::*side) {
      for (const auto& procedure : trace_io::summarise(trace).procedures) {
        auto& [calls, bytes] = procedures[procedure.name];
        calls.*side = static_cast<double>(procedure.calls);
        bytes.*side = static_cast<double>(procedure.bytes());
      }
    };
    collect(first_.trace, &Pair::first);
    collect(second_.trace, &Pair::second);
    for (const auto& [name, numbers] : procedures) {
      const auto& [calls, bytes] = numbers;
      if (!calls.differs() && !bytes.differs()) continue;
      same_ = false;
      text_ += formatted("  %-14s %s | %s calls, %s | %s bytes\n", name.c_str(),
                         grouped(static_cast<std::uint64_t>(calls.first)).c_str(),
                         grouped(static_cast<std::uint64_t>(calls.second)).c_str(),
                         grouped(static_cast<std::uint64_t>(bytes.first)).c_str(),
                         grouped(static_cast<std::uint64_t>(bytes.second)).c_str());
      json_["calls"][name] = {calls.first, calls.second};
      json_["bytes"][name] = {bytes.first, bytes.second};
    }
    if (!structure_.empty())
      text_ += "\n  - only in the first, + only in the second:\n" + structure_;
  }

  void compare_times() {
    std::map<std::string, Pair> operations;
    Pair app;
    const auto collect = [&](const trace_io::Trace& trace, double Pair::*side) {
      const auto record = sim::validation::record_of(trace);
      for (const double seconds : record.app_s) app.*side += seconds;
      for (const auto& [place, ranks] : record.sites)
        for (const auto& [rank, site] : ranks)
          operations["MPI_" + place.operation].*side += site.time_s.total;
    };
    collect(first_.trace, &Pair::first);
    collect(second_.trace, &Pair::second);
    text_ += "\n  times over all ranks, first | second\n";
    const auto add = [&](const std::string& name, const Pair& pair) {
      text_ += formatted("  %-22s %.6g | %.6g s", name.c_str(), pair.first, pair.second) +
               percent_apart(pair) + "\n";
      json_["times"][name] = {pair.first, pair.second};
    };
    add("application", app);
    for (const auto& [name, pair] : operations)
      if (std::max(pair.first, pair.second) >= kShareThatMatters * std::max(app.first, app.second))
        add(name, pair);
  }

  const NamedTrace& first_;
  const NamedTrace& second_;
  bool with_sites_, same_ = true;
  std::string text_, structure_;
  nlohmann::ordered_json json_ = {{"format", 1}, {"structure", ""}};
};

}  // namespace

TraceDifference compare_traces(const NamedTrace& first, const NamedTrace& second, bool with_sites) {
  return Comparison(first, second, with_sites).run();
}

}  // namespace reprise::cli
