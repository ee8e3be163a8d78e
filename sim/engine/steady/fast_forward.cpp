// SPDX-License-Identifier: MIT
#include "sim/engine/steady/fast_forward.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace reprise::sim {

bool FastForward::on_iteration(Actor& actor, std::uint32_t rank) {
  bool has_jumped = false;
  for (std::uint32_t depth = actor.cursor.cursor().begun(); depth < actor.cursor.cursor().depth();
       ++depth) {
    const auto place = actor.cursor.cursor().loop(depth);
    if (!place.is_everyones) break;  // nor are those inside it
    if (place.passed + place.left < SteadyLoop::kFewestIterations || place.left == 0) continue;
    if (loops_.size() <= place.loop) loops_.resize(place.loop + 1);
    auto& loop = loops_[place.loop];
    if (!loop) {
      loop = std::make_unique<Loop>();
      loop->executions.resize(ranks_);
    }
    SteadyLoop* const steady = watched(*loop, rank, place);
    if (steady == nullptr) continue;
    GraphLoop* graph = loop->foretold[steady->execution() % 2].get();
    if (graph != nullptr && graph->execution() != steady->execution()) graph = nullptr;
    if (graph != nullptr && graph->on_iteration(actor, rank, depth, place)) {
      steady->give_up();
      has_jumped = true;
    }
    if (steady->on_iteration(actor, rank, depth, place)) {
      if (graph != nullptr) graph->give_up();
      has_jumped = true;
    }
    if (graph != nullptr) graph->note_left(actor, depth);
  }
  return has_jumped;
}

bool FastForward::goes_on_though_forbidden() {
  if (jumps_.under_way > 0) return true;
  if (has_ended_) return false;
  has_ended_ = true;
  for (const auto& loop : loops_)
    for (const auto& graph :
         loop ? std::span(loop->foretold) : std::span<std::unique_ptr<GraphLoop>>())
      if (graph) graph->give_up();
  return false;
}

SteadyLoop* FastForward::watched(Loop& loop, std::uint32_t rank,
                                 const trace_io::Cursor::LoopPlace& place) {
  const bool is_first_iteration = place.passed == 0;
  const std::uint64_t execution =
      is_first_iteration ? ++loop.executions[rank] : loop.executions[rank];
  auto& steady = loop.watched[execution % 2];
  if (steady && steady->execution() == execution) return steady.get();
  if (!is_first_iteration || (steady && (steady->execution() > execution || !steady->is_over())))
    return nullptr;
  if (!steady) steady = std::make_unique<SteadyLoop>(ranks_, *place.node, settings_);
  steady->begin(execution);
  begin(loop, execution, place);
  return steady.get();
}

// What repeats itself exactly, or as it is known to the order, is left to that.
void FastForward::begin(Loop& loop, std::uint64_t execution,
                        const trace_io::Cursor::LoopPlace& place) {
  constexpr std::uint64_t kSettled = 6, kUntilGroupsRepeat = 1024;
  const std::uint64_t count = place.passed + place.left;
  const SteadyLoop& steady = *loop.watched[execution % 2];
  if (foretell_.runtime == nullptr || !steady.varies() || count < GraphLoop::kFewestIterations)
    return;
  auto& graph = loop.foretold[execution % 2];
  if (!graph) graph = std::make_unique<GraphLoop>(ranks_, foretell_);
  const std::uint64_t settled = std::min(kSettled, count / 16);
  graph->begin(
      execution, count,
      steady.repeats_blocks() ? std::clamp(count / 64, settled, kUntilGroupsRepeat) : settled);
}

Forwarded FastForward::outcome(const char* forbidden) const {
  Forwarded forwarded;
  double longest = -1;  // the reason given is that of the loop in which most time passed
  for (const auto& loop : loops_) {
    if (!loop) continue;
    for (const auto& steady : loop->watched) {
      if (!steady) continue;
      forwarded.skipped_iterations += steady->skipped();
      forwarded.error_bound += Seconds{steady->error_bound()};
      if (!steady->reason().empty() && steady->watched_for() > longest) {
        forwarded.reason = steady->reason();
        longest = steady->watched_for();
      }
      forwarded.was_refused = true;
      const auto& graph = loop->foretold[steady->execution() % 2];
      if (!graph) continue;
      forwarded.skipped_iterations += graph->skipped();
      forwarded.error_bound += Seconds{graph->error_bound()};
      if (!graph->reason().empty() && steady->watched_for() >= longest)
        forwarded.reason = graph->reason();
    }
  }
  if (forbidden != nullptr) forwarded.reason = forbidden;
  if (forwarded.skipped_iterations > 0) {
    forwarded.reason.clear();
    forwarded.was_refused = false;
  } else if (forwarded.reason.empty()) {
    forwarded.reason = "no loop that all ranks share has " +
                       std::to_string(SteadyLoop::kFewestIterations) + " iterations";
  }
  return forwarded;
}

}  // namespace reprise::sim
