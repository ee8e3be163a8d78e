// SPDX-License-Identifier: MIT
#include "sim/experiment/progress_in_calls.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "platforms/load.hpp"
#include "platforms/override.hpp"
#include "sim/experiment/other_sharing.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

using trace_io::Kind;

constexpr double kWorthAReplay = 1e-3;  // of all computing
constexpr char kInCalls[] = "/mpi/progress=in_calls";

bool starts_message(Kind kind) {
  return kind == Kind::start_send || kind == Kind::start_receive || kind == Kind::start ||
         kind == Kind::start_all || kind == Kind::start_matched_receive;
}

bool completes(Kind kind) {
  return kind == Kind::wait || kind == Kind::wait_all || kind == Kind::wait_any ||
         kind == Kind::wait_some;
}

// Of one thread, its calls in the order of the program. A loop's body is gone through once before it counts, because what is under way at its
// end is so at its beginning.
class Overlap {
 public:
  explicit Overlap(const trace_io::Trace& trace) : trace_(trace) {
    for (const std::string& name : trace.procedures)
      kinds_.push_back(trace_io::procedure_named(name).kind);
  }

  void walk(const std::vector<trace_io::Node>& nodes, bool counts) {
    for (const trace_io::Node& node : nodes)
      if (const auto* loop = std::get_if<trace_io::Loop>(&node.content)) {
        if (counts) walk(loop->body, false);
        walk(loop->body, counts);
      } else {
        visit(std::get<trace_io::Leaf>(node.content), counts);
      }
  }

  double computed = 0, with_messages = 0, with_collectives = 0;

 private:
  void visit(const trace_io::Leaf& leaf, bool counts) {
    const Kind kind = kinds_[trace_.sites[leaf.site].procedure];
    if (counts) {
      double before = 0;
      for (const auto& path : leaf.compute)
        for (const auto& delta : path.classes)
          before += static_cast<double>(delta.durations.sum().value);
      computed += before;
      if (has_messages_ || (has_had_messages_ && completes(kind))) with_messages += before;
      if (has_collectives_ || (has_had_collectives_ && completes(kind))) with_collectives += before;
    }
    if (completes(kind)) has_messages_ = has_collectives_ = false;
    if (starts_message(kind)) has_messages_ = has_had_messages_ = true;
    if (kind == Kind::start_collective) has_collectives_ = has_had_collectives_ = true;
  }

  const trace_io::Trace& trace_;
  std::vector<Kind> kinds_;  // by procedure
  bool has_messages_ = false, has_collectives_ = false;
  bool has_had_messages_ = false, has_had_collectives_ = false;
};

// Whether somebody has measured it, or chosen it.
bool is_known(const platforms::Document& document, const platforms::Platform& platform) {
  if (!document.value.contains("/mpi/progress"_json_pointer)) return false;
  return std::ranges::none_of(platform.sources, [](const auto& note) {
    return note.pointer == "/mpi/progress" && note.text == "the base's";
  });
}

}  // namespace

Overlapped overlapped_computing(const trace_io::Trace& trace) {
  double computed = 0, messages = 0, collectives = 0;
  for (const auto& program : trace.threads) {
    Overlap overlap(trace);
    overlap.walk(program, true);
    computed += overlap.computed;
    messages += overlap.with_messages;
    collectives += overlap.with_collectives;
  }
  if (computed <= 0) return {};
  return {messages / computed, collectives / computed};
}

std::optional<ProgressInCalls> with_progress_in_calls(const trace_io::Trace& trace,
                                                      const platforms::Document& document,
                                                      const platforms::Platform& platform,
                                                      const ReplaySettings& settings,
                                                      const Outcome& outcome) {
  if (is_known(document, platform)) return ProgressInCalls{outcome.predicted_time, true, false};
  const auto& use = outcome.used;
  const bool has_rendezvous = use.between_nodes.has_rendezvous || use.inside_nodes.has_rendezvous;
  const Overlapped overlapped = overlapped_computing(trace);
  if ((!has_rendezvous || overlapped.messages < kWorthAReplay) &&
      overlapped.collectives < kWorthAReplay)
    return ProgressInCalls{outcome.predicted_time, false, false};
  if (outcome.operations > kMostCompared || model_of(settings.network).simulates_once)
    return std::nullopt;
  platforms::Document others = document;
  platforms::apply_set(others, kInCalls, "--set");
  ReplaySettings again = settings;
  again.observation = nullptr;
  again.watch = nullptr;  // which counts the calls of one replay
  const Seconds predicted = replay(trace, platforms::parse_platform(others), again).predicted_time;
  return ProgressInCalls{predicted, false,
                         std::abs(predicted.value - outcome.predicted_time.value) >
                             kProgressNoticed * outcome.predicted_time.value};
}

std::string describe(const ProgressInCalls& in_calls, const Outcome& outcome) {
  const double change = 100 * (in_calls.predicted / outcome.predicted_time - 1);
  return "if MPI makes progress only inside its calls, the run takes " +
         seconds_text(in_calls.predicted) +
         formatted(", %.0f%% %s time", std::abs(change), change < 0 ? "less" : "more") +
         ": the platform's file does not say whether large messages progress while ranks compute, "
         "which is assumed (--set " +
         kInCalls + ", or =asynchronous, decides; platform calibrate measures it)";
}

std::string certainty_of(const ProgressInCalls& in_calls, const Outcome& outcome) {
  return "; how MPI makes progress matters (asynchronous " + seconds_text(outcome.predicted_time) +
         ", in_calls " + seconds_text(in_calls.predicted) + ")";
}

}  // namespace reprise::sim
