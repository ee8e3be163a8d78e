// SPDX-License-Identifier: MIT
#include "sim/engine/steady/fast_forward.hpp"

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
    if (SteadyLoop* steady = watched(*loop, rank, place))
      has_jumped = steady->on_iteration(actor, rank, depth, place) || has_jumped;
  }
  return has_jumped;
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
  return steady.get();
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
