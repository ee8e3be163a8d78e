// SPDX-License-Identifier: MIT
#include "sim/engine/point_to_point/completion.hpp"

#include <algorithm>
#include <tuple>

namespace reprise::sim {

using trace_io::Field;

Progress Completion::wait_all(std::uint32_t index, std::span<const std::int64_t> slots) {
  Actor& actor = runtime_.actor(index);
  for (const std::int64_t slot : slots) {
    if (slot == trace_io::kNone) continue;  // MPI_REQUEST_NULL is complete
    const std::uint32_t* request = runtime_.find_slot(index, slot);
    if (request != nullptr)
      actor.awaited.push_back({*request, slot});
    else if (runtime_.error())
      return Progress::blocked;
  }
  return runtime_.await(index);
}

Progress Completion::wait_any(std::uint32_t index, const EventFields& fields) {
  Actor& actor = runtime_.actor(index);
  const auto recorded = fields.vector(Field::completed);
  const auto wanted = static_cast<std::size_t>(std::count_if(
      recorded.begin(), recorded.end(), [](std::int64_t slot) { return slot != trace_io::kNone; }));
  if (runtime_.goes_on_without_receivers()) return wait_all(index, recorded);
  if (!gather_candidates(index, fields.vector(Field::requests))) return Progress::blocked;
  // Nothing to choose between; or slots of several threads, which cannot change places.
  if (actor.candidates.size() <= wanted || wanted == 0) return wait_all(index, recorded);
  const auto is_foreign = [&](const Actor::Awaited& one) {
    return requests_[one.request].actor != index;
  };
  if (std::any_of(actor.candidates.begin(), actor.candidates.end(), is_foreign) ||
      !are_choices(actor, recorded))
    return wait_all(index, recorded);
  if (runtime_.is_ahead(actor)) return runtime_.catch_up(index);
  std::size_t complete = 0;
  for (const auto& candidate : actor.candidates)
    if (requests_[candidate.request].state == Request::State::complete) ++complete;
  if (complete < wanted) return runtime_.await_any(index, wanted - complete);
  take_candidates(actor, recorded);
  return Progress::done;
}

// The call's requests that are under way or complete. False, and the error is kept, where a slot is empty.
bool Completion::gather_candidates(std::uint32_t index, std::span<const std::int64_t> slots) {
  Actor& actor = runtime_.actor(index);
  actor.candidates.clear();
  for (const std::int64_t slot : slots) {
    if (slot == trace_io::kNone) continue;
    const std::uint32_t* request = runtime_.find_slot(index, slot);
    if (request == nullptr && runtime_.error()) return false;
    if (request != nullptr && requests_[*request].state != Request::State::inactive)
      actor.candidates.push_back({*request, slot});
  }
  return true;
}

// Whether the call was handed in each request once, and the recorded ones among them, each once: what MPI asks for, but no trace is bound to.
bool Completion::are_choices(const Actor& actor, std::span<const std::int64_t> recorded) {
  handed_in_.clear();
  for (const auto& one : actor.candidates) handed_in_.push_back(one.slot);
  taken_.clear();
  for (const std::int64_t slot : recorded)
    if (slot != trace_io::kNone) taken_.push_back(slot);
  for (auto* slots : {&handed_in_, &taken_}) {
    std::sort(slots->begin(), slots->end());
    if (std::adjacent_find(slots->begin(), slots->end()) != slots->end()) return false;
  }
  return std::includes(handed_in_.begin(), handed_in_.end(), taken_.begin(), taken_.end());
}

void Completion::take_candidates(Actor& actor, std::span<const std::int64_t> recorded) {
  const auto was_recorded = [&](std::int64_t slot) {
    return std::find(recorded.begin(), recorded.end(), slot) != recorded.end();
  };
  const auto completed = std::stable_partition(
      actor.candidates.begin(), actor.candidates.end(), [&](const Actor::Awaited& one) {
        return requests_[one.request].state == Request::State::complete;
      });
  // Requests complete by now at the call are as good as each other, whenever they completed.
  const auto order = [&](const Actor::Awaited& one) {
    const double done = std::max(requests_[one.request].done, actor.clock);
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
    // One reference at a time: a slot that is looked up may move the others.
    const std::uint32_t left = actor.slot(slot), took = actor.slot(other->slot);
    actor.slot(slot) = took;
    actor.slot(other->slot) = left;
    other->slot = slot;
    differs = true;
  }
  if (differs) ++reordered_;
  actor.awaited.assign(taken.begin(), taken.end());
  for (const auto& one : actor.awaited) runtime_.consume(actor, requests_[one.request]);
}

Progress Completion::cancel(std::uint32_t index, std::int64_t slot) {
  const Actor& actor = runtime_.actor(index);
  if (runtime_.is_ahead(actor)) return runtime_.catch_up(index);
  const std::uint32_t* found = runtime_.find_slot(index, slot);
  if (found == nullptr) return runtime_.error() ? Progress::blocked : Progress::done;
  Request& request = requests_[*found];
  if (request.kind != Request::Kind::receive || !transport_.withdraw(*found)) return Progress::done;
  request.state = Request::State::complete;
  request.done = request.partner_ready = actor.clock;
  request.peer = kNeverComes;
  return Progress::done;
}

Progress Completion::free(std::uint32_t index, std::int64_t slot) {
  std::uint32_t* found = runtime_.find_slot(index, slot);
  if (found == nullptr) return runtime_.error() ? Progress::blocked : Progress::done;
  Request& request = requests_[*found];
  if (request.state == Request::State::active)
    request.is_orphan = true;
  else
    requests_.give_back(*found);
  *found = kNothing;
  return Progress::done;
}

// Buffer_detach: of all threads of the rank. A rehearsal, which no send holds up, goes on.
Progress Completion::empty_buffer(std::uint32_t index) {
  if (runtime_.goes_on_without_receivers()) return Progress::done;
  runtime_.forbid_fast_forward("what is in a buffer of sends is followed message by message");
  Actor& actor = runtime_.actor(index);
  for (const std::uint32_t request : transport_.take_buffered(actor.rank)) {
    requests_[request].is_orphan = false;
    actor.awaited.push_back({request, -1});
  }
  return runtime_.await(index);
}

}  // namespace reprise::sim
