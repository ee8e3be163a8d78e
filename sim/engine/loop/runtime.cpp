// SPDX-License-Identifier: MIT
#include "sim/engine/loop/runtime.hpp"

#include <algorithm>

#include "sim/engine/loop/own_messages.hpp"
#include "sim/engine/tape/loop_tape.hpp"
#include "sim/site_text.hpp"
#include "sim/time_grid.hpp"

namespace reprise::sim {

Runtime::Runtime(const trace_io::Trace& trace, const trace_io::Programs& programs,
                 const platforms::Platform& platform,
                 std::vector<platforms::RankLocation> locations, Network& network, ActorLoop& loop,
                 MessageObserver* observer)
    : trace_(trace),
      network_(network),
      loop_(loop),
      observer_(observer),
      communicators_(trace),
      paths_(platform, std::move(locations)),
      cold_caches_(platform) {
  for (std::int32_t rank = 0; rank < trace.header.ranks; ++rank) {
    first_actor_.push_back(static_cast<std::uint32_t>(actors_.size()));
    for (std::size_t thread = 0; thread < programs.thread_count(); ++thread)
      if (programs.has(Rank{rank}, thread))
        actors_.emplace_back(programs, Rank{rank}, static_cast<std::uint32_t>(thread));
  }
  first_actor_.push_back(static_cast<std::uint32_t>(actors_.size()));
  cold_caches_.set_actors(actors_.size());
}

bool Runtime::is_inside_mpi(std::int32_t rank) const {
  const auto threads = threads_of(rank);
  return std::any_of(threads.begin(), threads.end(), [now = now()](const Actor& actor) {
    return actor.is_inside || actor.state == Actor::State::finished || now <= actor.left;
  });
}

// Takes what is complete and counts the rest.
Progress Runtime::await(std::uint32_t index) {
  Actor& actor = actors_[index];
  actor.pending = 0;
  for (const auto& waiting : actor.awaited) {
    Request& request = requests_[waiting.request];
    switch (request.state) {
      case Request::State::inactive:
        break;
      case Request::State::complete:
        consume(actor, request);
        break;
      case Request::State::active:
        if (unreceived_ != nullptr && leave_behind(actor, waiting.request)) break;
        request.is_awaited = true;
        request.waiter = index;
        ++actor.pending;
        break;
    }
  }
  if (unreceived_ != nullptr) forget_left_behind(actor);
  if (actor.pending == 0) return Progress::done;
  actor.state = Actor::State::in_requests;
  return Progress::blocked;
}

// They may be received, and gone, before the call ends.
void Runtime::forget_left_behind(Actor& actor) {
  const auto gone = std::remove_if(actor.awaited.begin(), actor.awaited.end(),
                                   [this](const Actor::Awaited& waiting) {
                                     const Request& request = requests_[waiting.request];
                                     if (!request.is_orphan) return false;
                                     if (waiting.slot >= 0)
                                       actors_[request.actor].slot(waiting.slot) = kNothing;
                                     return true;
                                   });
  actor.awaited.erase(gone, actor.awaited.end());
}

// A send that need not wait for its receiver goes when it has been received.
bool Runtime::leave_behind(const Actor& actor, std::uint32_t index) {
  Request& request = requests_[index];
  if (request.kind != Request::Kind::send || request.is_persistent ||
      request.mode == trace_io::SendMode::synchronous)
    return false;
  request.is_orphan = true;
  unreceived_->try_emplace(index, actor.operations);
  return true;
}

Progress Runtime::await_first(std::uint32_t index) {
  Actor& actor = actors_[index];
  const Progress progress = await(index);
  if (progress == Progress::blocked)
    actor.repeats_event = true;
  else
    end_call(actor);  // of what was awaited; the call itself goes on
  actor.is_inside = true;
  return progress;
}

Progress Runtime::await_any(std::uint32_t index, std::size_t count) {
  Actor& actor = actors_[index];
  for (const auto& candidate : actor.candidates) {
    Request& request = requests_[candidate.request];
    if (request.state != Request::State::active) continue;
    request.is_awaited = true;
    request.waiter = index;
  }
  actor.pending = static_cast<std::uint32_t>(count);
  actor.state = Actor::State::in_any;
  return Progress::blocked;
}

void Runtime::note_received(Delivery delivery) {
  delivery.sent += threads_of(delivery.from).front().skipped;
  const double skipped = threads_of(delivery.to).front().skipped;
  delivery.posted += skipped;
  delivery.received += skipped;
  observer_->on_received(delivery);
}

Progress Runtime::catch_up(std::uint32_t index) {
  Actor& actor = actors_[index];
  actor.repeats_event = true;
  actor.state = Actor::State::catching_up;
  post(std::max(actor.clock, now()), NetworkEvent::resume, index);
  return Progress::blocked;
}

void Runtime::consume(Actor& actor, const Request& request) {
  const double before = actor.clock;
  if (waits_ != nullptr) [[unlikely]]
    note_waited(
        actor, request,
        std::clamp(request.partner_ready - before, 0.0, std::max(0.0, request.done - before)));
  block_until(actor, request.done, request.partner_ready);
  double cold = 0;
  if (request.kind == Request::Kind::receive && request.peer != kNullPeer &&
      request.peer != kNeverComes) {
    if (!is_own_copy(paths_.between(request.sender, request.me), request.sender, request.me))
      cold = cold_receive(static_cast<std::uint32_t>(&actor - actors_.data()), request);
    actor.clock += paths_.receive_cost(request) + cold;
  }
  if (tape_ != nullptr) [[unlikely]]
    note_on_tape(name_of(actor).index, request, before, actor.clock);
  if (path_ != nullptr) [[unlikely]]
    note_consumed(actor, request, before, cold);
}

void Runtime::note_on_tape(std::uint32_t actor, const Request& request, double before,
                           double after) {
  double copy = 0;
  if (request.kind == Request::Kind::receive && request.peer != kNullPeer &&
      request.peer != kNeverComes)
    copy = on_grid(paths_.between(request.sender, request.me).copy_time(request.received).value);
  tape_->awaited(actor, index_of(request),
                 {.before = before,
                  .done = request.done,
                  .after = after,
                  .copy = copy,
                  .was_copied = request.was_late});
}

namespace {

// What a wait for an operation or a message of a window is, by the call that waits.
WaitState one_sided_state(trace_io::Kind kind) {
  using trace_io::Kind;
  switch (kind) {
    case Kind::access_start:
      return WaitState::late_post;
    case Kind::exposure_wait:
      return WaitState::early_wait;
    case Kind::fence:
    case Kind::window_create:
    case Kind::window_free:
      return WaitState::at_fence;
    case Kind::lock:
    case Kind::lock_all:
      return WaitState::lock_contention;
    default:
      return WaitState::other;
  }
}

}  // namespace

void Runtime::note_waited(const Actor& actor, const Request& request, double seconds) {
  WaitState state = WaitState::other;
  const std::uint32_t index = index_of(request);
  switch (request.kind) {
    case Request::Kind::send:
      state = WaitState::late_receiver;
      break;
    case Request::Kind::receive:
      state = waits_->state_of(index) == WaitState::wrong_order ? WaitState::wrong_order
                                                                : WaitState::late_sender;
      break;
    case Request::Kind::collective:
      state = waits_->state_of(index);
      if (state == WaitState::other) state = WaitState::storage;  // a collective access
      break;
    case Request::Kind::one_sided:
      state = one_sided_state(actor.cursor.procedure().kind);
      break;
  }
  waits_->forget(index);
  waits_->add(actor.rank, actor.cursor.site(), state, seconds);
  if (delays_ != nullptr && seconds > 0)
    note_delay(name_of(actor), actor.cursor.site(), request, seconds);
}

void Runtime::note_delay(CriticalPath::Name waiter, trace_io::SiteId site, const Request& request,
                         double seconds) {
  std::vector<CriticalPath::Delayer> delayers;
  path_->find_delayers(waiter, {CriticalPath::Of::request, index_of(request)}, seconds, delayers);
  delays_->add(site, request.kind == Request::Kind::collective,
               request.kind == Request::Kind::receive ? request.sender : request.peer, seconds,
               delayers);
}

// The actor's clock, which was at BEFORE, has come to the request's end, and perhaps to where it has taken what was received.
void Runtime::note_consumed(const Actor& actor, const Request& request, double before,
                            double cold) {
  const CriticalPath::Name awaited{CriticalPath::Of::request, index_of(request)};
  path_->await(name_of(actor), before, awaited, request.done);
  path_->drop(awaited);
  const double from = std::max(before, request.done);
  path_->advance(name_of(actor), from, PathPart::other);
  if (actor.clock <= from) return;
  const std::uint16_t place = place_between(request.sender, request.me);
  path_->advance(name_of(actor), actor.clock - cold, PathPart::receive_overhead,
                 paths_.between(request.sender, request.me).recv_overhead.value, PathPart::copy,
                 place);
  path_->advance(name_of(actor), actor.clock, PathPart::cold_caches, place);
}

std::uint32_t* Runtime::find_slot(std::uint32_t index, std::int64_t slot) {
  Actor& actor = actors_[index];
  if (std::uint32_t* found = actor.find_slot(slot)) return found;
  const auto at = static_cast<std::size_t>(actor.rank);
  for (std::uint32_t i = first_actor_[at]; i < first_actor_[at + 1]; ++i)
    if (std::uint32_t* found = actors_[i].find_slot(slot)) return found;
  // Threads may meet in another order than recorded: then one waits for what another has not started yet.
  if (first_actor_[at + 1] - first_actor_[at] > 1) {
    ++foreign_waits_;
    return nullptr;
  }
  fail(actor, "uses request " + std::to_string(slot) + ", which was never started");
  return nullptr;
}

void Runtime::complete(std::uint32_t index) {
  const Request& request = requests_[index];
  if (request.is_orphan) {
    if (unreceived_ != nullptr) unreceived_->erase(index);
    return requests_.give_back(index);
  }
  if (request.run != kNothing) return meetings_->on_step_complete(index);
  if (!request.is_awaited) return;
  const std::uint32_t waiter = request.waiter;
  Actor& actor = actors_[waiter];
  if (actor.state != Actor::State::in_any) {
    consume(actor, request);
    if (--actor.pending == 0) resume_call(waiter);
    return;
  }
  if (--actor.pending > 0) return;
  // Enough have completed: the choice is made when all that happens at this moment has happened.
  for (const auto& candidate : actor.candidates) requests_[candidate.request].is_awaited = false;
  catch_up(waiter);
}

void Runtime::complete(std::uint32_t index, double done, double partner_ready) {
  Request& request = requests_[index];
  request.state = Request::State::complete;
  request.done = std::max(done, request.posted);
  request.partner_ready = partner_ready;
  complete(index);
}

void Runtime::end_call(Actor& actor) {
  if (path_ != nullptr) [[unlikely]]
    path_->advance(name_of(actor), actor.clock, PathPart::other);
  actor.in_mpi += actor.clock - actor.entered;
  actor.is_inside = false;
  actor.left = actor.clock;
  actor.entered = actor.clock;  // a call may go on after a part of it that it waited for
  for (const auto& [index, slot] : actor.awaited) {
    Request& request = requests_[index];
    if (slot >= 0 && request.is_persistent) {
      request.state = Request::State::inactive;
      continue;
    }
    if (slot >= 0) {
      std::uint32_t& held = actors_[request.actor].slot(slot);
      if (held != index) continue;  // named twice in one call
      held = kNothing;
    }
    requests_.give_back(index);
  }
  actor.awaited.clear();
}

Progress Runtime::fail(const Actor& actor, const std::string& problem, const std::string& hint,
                       ReplayError::Kind kind) {
  if (!error_)
    fail({kind,
          "rank " + std::to_string(actor.rank) + " in " + call_text(trace_, actor.cursor.site()),
          problem, hint});
  return Progress::blocked;
}

void Runtime::fail(const ReplayError& error) {
  if (error_) return;
  error_.emplace(error);
  network_.stop();
}

CommunicatorView* Runtime::communicator(const Actor& actor, std::int64_t number) {
  CommunicatorView* view = communicators_.view(actor.rank, number);
  if (view == nullptr)
    fail(actor, "uses communicator " + std::to_string(number) + ", which it does not have");
  return view;
}

}  // namespace reprise::sim
