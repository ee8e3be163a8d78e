// SPDX-License-Identifier: MIT
// Calls that complete any or some of their requests: Waitany, Waitsome and the tests that became them.
//
// Order   such a call takes the requests that complete first in the simulation, as many as it took when it was recorded. Of
//         requests that are complete at the same moment the recorded ones come first, then the earlier, then the lower slot.
// Slots   the trace goes on with the slots that completed when it was recorded. Where another request completes, the two change
//         places: the one still under way moves to the slot that the trace believes under way. So a loop completes each of
//         its requests once, whatever the order.
// Sound   a correct recording cannot deadlock by this: take the first call in recorded order that is stuck. All calls before it
//         were carried out, so as many requests of its set can complete as had completed when it was recorded, and fewer
//         have been taken.
#include <algorithm>
#include <tuple>

#include "sim/engine/interpreter.hpp"

namespace reprise::sim {

using trace_io::Field;

Interpreter::Progress Interpreter::wait_for_any(std::uint32_t index, const EventFields& fields) {
  Actor& actor = actors_[index];
  const auto recorded = fields.vector(Field::completed);
  const auto wanted = static_cast<std::size_t>(std::count_if(
      recorded.begin(), recorded.end(), [](std::int64_t slot) { return slot != trace_io::kNone; }));
  if (!gather_candidates(index, fields.vector(Field::requests))) return Progress::blocked;
  // Nothing to choose between; or slots of several threads, which cannot change places.
  if (actor.candidates.size() <= wanted || wanted == 0) return wait_for_slots(index, recorded);
  const auto is_foreign = [&](const Actor::Awaited& one) {
    return transport_.requests()[one.request].actor != index;
  };
  if (std::any_of(actor.candidates.begin(), actor.candidates.end(), is_foreign))
    return wait_for_slots(index, recorded);
  if (is_ahead(actor)) return catch_up(index);
  std::size_t complete = 0;
  for (const auto& candidate : actor.candidates)
    if (transport_.requests()[candidate.request].state == Request::State::complete) ++complete;
  if (complete >= wanted) {
    take_candidates(index, recorded);
    return Progress::done;
  }
  for (const auto& candidate : actor.candidates) {
    Request& request = transport_.requests()[candidate.request];
    if (request.state != Request::State::active) continue;
    request.is_awaited = true;
    request.waiter = index;
  }
  actor.pending = static_cast<std::uint32_t>(wanted - complete);
  actor.state = Actor::State::in_any;
  return Progress::blocked;
}

// The call's requests that are under way or complete. False, and the error is kept, where a slot is empty.
bool Interpreter::gather_candidates(std::uint32_t index, std::span<const std::int64_t> slots) {
  Actor& actor = actors_[index];
  actor.candidates.clear();
  for (const std::int64_t slot : slots) {
    if (slot == trace_io::kNone) continue;
    const std::uint32_t* request = find_slot(index, slot);
    if (request == nullptr && error_) return false;
    if (request != nullptr && transport_.requests()[*request].state != Request::State::inactive)
      actor.candidates.push_back({*request, slot});
  }
  return true;
}

void Interpreter::take_candidates(std::uint32_t index, std::span<const std::int64_t> recorded) {
  Actor& actor = actors_[index];
  const auto was_recorded = [&](std::int64_t slot) {
    return std::find(recorded.begin(), recorded.end(), slot) != recorded.end();
  };
  const auto completed = std::stable_partition(
      actor.candidates.begin(), actor.candidates.end(), [&](const Actor::Awaited& one) {
        return transport_.requests()[one.request].state == Request::State::complete;
      });
  // Requests complete by now at the call are as good as each other, whenever they completed.
  const auto order = [&](const Actor::Awaited& one) {
    const double done = std::max(transport_.requests()[one.request].done, actor.clock);
    return std::tuple(done, !was_recorded(one.slot), one.slot);
  };
  std::sort(actor.candidates.begin(), completed,
            [&](const Actor::Awaited& a, const Actor::Awaited& b) { return order(a) < order(b); });
  std::size_t wanted = 0;
  for (const std::int64_t slot : recorded) wanted += slot != trace_io::kNone;
  actor.candidates.resize(wanted);
  // Each one that was not recorded changes places with one that was, and was not taken.
  auto& taken = actor.candidates;
  const auto is_taken = [&](std::int64_t slot) {
    return std::any_of(taken.begin(), taken.end(),
                       [slot](const Actor::Awaited& one) { return one.slot == slot; });
  };
  bool differs = false;
  for (const std::int64_t slot : recorded) {
    if (slot == trace_io::kNone || is_taken(slot)) continue;
    auto other = std::find_if(taken.begin(), taken.end(),
                              [&](const Actor::Awaited& one) { return !was_recorded(one.slot); });
    std::swap(slot_of(actor, slot), slot_of(actor, other->slot));
    other->slot = slot;
    differs = true;
  }
  if (differs) ++other_completions_;
  actor.awaited.assign(taken.begin(), taken.end());
  for (const auto& one : actor.awaited) consume(actor, transport_.requests()[one.request]);
}

// Enough have completed: the choice is made when all that happens at this moment has happened.
void Interpreter::on_candidate_complete(std::uint32_t index) {
  Actor& actor = actors_[index];
  if (--actor.pending > 0) return;
  for (const auto& candidate : actor.candidates)
    transport_.requests()[candidate.request].is_awaited = false;
  catch_up(index);
}

}  // namespace reprise::sim
