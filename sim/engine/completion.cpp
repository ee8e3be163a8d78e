// SPDX-License-Identifier: MIT
// Waiting: the whole Wait and Test family, cancel, free.
//
// A Test that succeeded is replayed as the Wait it became. Calls that complete any or some: any_completion.cpp.
#include <algorithm>

#include "sim/engine/interpreter.hpp"

namespace reprise::sim {

std::uint32_t& Interpreter::slot_of(Actor& actor, std::int64_t slot) {
  const auto index = static_cast<std::size_t>(std::max<std::int64_t>(0, slot));
  if (actor.slots.size() <= index) actor.slots.resize(index + 1, kNothing);
  return actor.slots[index];
}

std::uint32_t* Interpreter::find_slot(std::uint32_t index, std::int64_t slot) {
  Actor& actor = actors_[index];
  const auto at = static_cast<std::size_t>(actor.rank);
  const auto holds = [slot](const Actor& one) {
    return slot >= 0 && static_cast<std::size_t>(slot) < one.slots.size() &&
           one.slots[static_cast<std::size_t>(slot)] != kNothing;
  };
  if (holds(actor)) return &actor.slots[static_cast<std::size_t>(slot)];
  for (std::uint32_t i = first_actor_[at]; i < first_actor_[at + 1]; ++i)
    if (holds(actors_[i])) return &actors_[i].slots[static_cast<std::size_t>(slot)];
  // Threads may meet in another order than recorded: then one waits for what another has not started yet.
  if (first_actor_[at + 1] - first_actor_[at] > 1) {
    ++foreign_waits_;
    return nullptr;
  }
  fail(actor, "uses request " + std::to_string(slot) + ", which was never started",
       "`reprise trace check` tells what else is wrong with the trace");
  return nullptr;
}

Interpreter::Progress Interpreter::wait_for_slots(std::uint32_t index,
                                                  std::span<const std::int64_t> slots) {
  Actor& actor = actors_[index];
  for (const std::int64_t slot : slots) {
    if (slot == trace_io::kNone) continue;  // MPI_REQUEST_NULL is complete
    const std::uint32_t* request = find_slot(index, slot);
    if (request != nullptr)
      actor.awaited.push_back({*request, slot});
    else if (error_)
      return Progress::blocked;
  }
  return await(index);
}

// Takes what is complete and counts the rest.
Interpreter::Progress Interpreter::await(std::uint32_t index) {
  Actor& actor = actors_[index];
  actor.pending = 0;
  for (const auto& waiting : actor.awaited) {
    Request& request = transport_.requests()[waiting.request];
    switch (request.state) {
      case Request::State::inactive:
        break;
      case Request::State::complete:
        consume(actor, request);
        break;
      case Request::State::active:
        request.is_awaited = true;
        request.waiter = index;
        ++actor.pending;
        break;
    }
  }
  if (actor.pending == 0) return Progress::done;
  actor.state = Actor::State::in_requests;
  return Progress::blocked;
}

// Moves the clock to the end of a wait, and tells late partners from slow networks.
void Interpreter::block_until(Actor& actor, double done, double partner_ready) {
  if (done <= actor.clock) return;
  actor.wait += std::clamp(partner_ready - actor.clock, 0.0, done - actor.clock);
  actor.clock = done;
}

void Interpreter::consume(Actor& actor, const Request& request) {
  block_until(actor, request.done, request.partner_ready);
  if (request.kind == Request::Kind::receive && request.peer != kNullPeer &&
      request.peer != kNeverComes)
    actor.clock += transport_.receive_cost(request);
}

void Interpreter::on_complete(std::uint32_t index) {
  const Request& request = transport_.requests()[index];
  if (request.run != kNothing) {
    const CollectiveRun& run = runs_[request.run];
    if (run.request != kNothing && transport_.needs_ranks() &&
        !is_inside_mpi(actors_[run.actor].rank))
      return held_steps_.push_back(index);
    return on_step_done(index);
  }
  if (!request.is_awaited) return;
  if (actors_[request.waiter].state == Actor::State::in_any)
    return on_candidate_complete(request.waiter);
  Actor& actor = actors_[request.waiter];
  consume(actor, request);
  if (--actor.pending == 0) resume_call(request.waiter);
}

Interpreter::Progress Interpreter::cancel(std::uint32_t index, std::int64_t slot) {
  Actor& actor = actors_[index];
  if (is_ahead(actor)) return catch_up(index);
  const std::uint32_t* found = find_slot(index, slot);
  if (found == nullptr) return error_ ? Progress::blocked : Progress::done;
  Request& request = transport_.requests()[*found];
  if (request.kind != Request::Kind::receive || !transport_.withdraw(*found)) return Progress::done;
  request.state = Request::State::complete;
  request.done = request.partner_ready = actor.clock;
  request.peer = kNeverComes;
  return Progress::done;
}

Interpreter::Progress Interpreter::free_request(std::uint32_t index, std::int64_t slot) {
  std::uint32_t* found = find_slot(index, slot);
  if (found == nullptr) return error_ ? Progress::blocked : Progress::done;
  Request& request = transport_.requests()[*found];
  if (request.state == Request::State::active)
    request.is_orphan = true;
  else
    transport_.requests().give_back(*found);
  *found = kNothing;
  return Progress::done;
}

}  // namespace reprise::sim
