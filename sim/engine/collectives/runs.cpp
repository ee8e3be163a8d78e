// SPDX-License-Identifier: MIT
#include "sim/engine/collectives/runs.hpp"

#include <algorithm>

#include "sim/engine/tape/loop_tape.hpp"
#include "sim/time_grid.hpp"

namespace reprise::sim {

CollectiveRuns::CollectiveRuns(Runtime& runtime, Transport& transport,
                               const platforms::Platform& platform)
    : runtime_(runtime),
      transport_(transport),
      requests_(runtime.requests()),
      platform_(platform) {}

std::uint32_t CollectiveRuns::make(std::uint32_t actor, CommunicatorView& view,
                                   const CollectiveCall& call, const Algorithm* algorithm,
                                   Bytes own) {
  const std::uint32_t made = runs_.take();
  CollectiveRun& run = runs_[made];
  const double clock = runtime_.actor(actor).clock;
  run.actor = actor;
  run.request = kNothing;
  run.communicator = &view;
  run.tag = static_cast<std::int32_t>(view.entered++);
  run.call = call;
  run.algorithm = algorithm;
  run.position = {};
  run.pending = 0;
  if (own.value > 0) runtime_.paths().note_own_copy();
  run.cold_since = runtime_.cold_since(actor);
  const double cold = runtime_.cold_copy(actor, own, run.cold_since);
  run.clock = clock + on_grid(platform_.intra_node_mpi.copy_time(own).value) + cold;
  run.wait = 0;
  run.partner_ready = clock;
  run.is_finished = false;
  if (runtime_.waits() != nullptr) [[unlikely]]
    note_entry(made, clock);
  if (CriticalPath* const path = runtime_.path(); path != nullptr) [[unlikely]] {
    path->take_over({CriticalPath::Of::run, made}, {CriticalPath::Of::actor, actor});
    path->advance({CriticalPath::Of::run, made}, run.clock - cold, PathPart::copy, 1);
    path->advance({CriticalPath::Of::run, made}, run.clock, PathPart::cold_caches, 1);
  }
  return made;
}

Progress CollectiveRuns::carry_out(std::uint32_t index, std::uint32_t run) {
  Actor& actor = runtime_.actor(index);
  actor.collective = run;
  advance(run);
  if (!runs_[run].is_finished) {
    actor.state = Actor::State::in_collective;
    return Progress::blocked;
  }
  leave(actor);
  return Progress::done;
}

void CollectiveRuns::start(std::uint32_t index, std::uint32_t request) {
  CollectiveRun& run = runs_[index];
  // The lists are the event's, which is gone when the later rounds come.
  run.send_list.assign(run.call.send_list.begin(), run.call.send_list.end());
  run.receive_list.assign(run.call.receive_list.begin(), run.call.receive_list.end());
  run.call.send_list = run.send_list;
  run.call.receive_list = run.receive_list;
  run.request = request;
  if (runtime_.tape() != nullptr) [[unlikely]]
    runtime_.tape()->give_up("collectives that do not block are under way in it");
  advance(index);
  if (runs_[index].is_finished) complete(index);
}

// Starts rounds until one has to be waited for, or there is none left.
void CollectiveRuns::advance(std::uint32_t index) {
  for (;;) {
    CollectiveRun& run = runs_[index];
    steps_.clear();
    if (!next_round(*run.algorithm, run.call, run.position, steps_)) {
      run.is_finished = true;
      return;
    }
    const std::int32_t me = runtime_.actor(run.actor).rank;
    const Communicators& communicators = runtime_.communicators();
    for (const Step& step : steps_) {
      const std::uint32_t made = requests_.take();
      Request& request = requests_[made];
      request = Request{};
      request.kind = step.kind == Step::Kind::send ? Request::Kind::send : Request::Kind::receive;
      request.actor = run.actor;
      request.me = me;
      request.peer = communicators.member(me, *run.communicator, step.peer);
      request.run = index;
      request.context = Context::collective(run.communicator->context);
      request.tag = run.tag;
      request.bytes = step.bytes;
      if (step.kind == Step::Kind::combine) {
        request.combines = step.also >= 0 ? 2 : 1;
        has_combined_ = true;
      }
      if (request.kind == Request::Kind::send) {
        const double cold =
            runtime_.cold_send(run.actor, me, request.peer, request.bytes, run.cold_since);
        run.clock += runtime_.paths().between(me, request.peer).send_overhead.value + cold;
        if (CriticalPath* const path = runtime_.path(); path != nullptr) [[unlikely]] {
          const std::uint16_t place = runtime_.place_between(me, request.peer);
          path->advance({CriticalPath::Of::run, index}, run.clock - cold, PathPart::send_overhead,
                        place);
          path->advance({CriticalPath::Of::run, index}, run.clock, PathPart::cold_caches, place);
        }
        transport_.send(made, run.clock);
      } else {
        transport_.receive(made, run.clock);
      }
      if (requests_[made].state != Request::State::complete)
        ++run.pending;
      else
        complete_at_once_.push_back(made);
    }
    // What was there already is taken when all steps are under way, as waiting for them does.
    for (const std::uint32_t made : complete_at_once_) take_step(run, made);
    complete_at_once_.clear();
    if (run.pending > 0) return;
  }
}

void CollectiveRuns::take_step(CollectiveRun& run, std::uint32_t index) {
  const Request& request = requests_[index];
  const double cold = request.kind == Request::Kind::receive
                          ? runtime_.cold_receive(run.actor, request, run.cold_since)
                          : 0;
  if (runtime_.waits() != nullptr && request.done > run.clock) [[unlikely]]
    note_wait(run, index,
              std::clamp(request.partner_ready - run.clock, 0.0, request.done - run.clock));
  if (runtime_.path() != nullptr) [[unlikely]]
    note_step(run.clock, index, cold);
  const double before = run.clock;
  run.partner_ready = request.partner_ready;
  if (request.done > run.clock) {
    run.wait += std::clamp(request.partner_ready - run.clock, 0.0, request.done - run.clock);
    run.clock = request.done;
  }
  if (request.kind == Request::Kind::receive)
    run.clock += runtime_.paths().receive_cost(request) + cold +
                 on_grid(request.combines * platform_.reduction_time(request.bytes).value);
  if (runtime_.tape() != nullptr) [[unlikely]]
    runtime_.note_on_tape(run.actor, request, before, run.clock);
  requests_.give_back(index);
}

void CollectiveRuns::note_wait(const CollectiveRun& run, std::uint32_t index, double seconds) {
  const Request& step = requests_[index];
  runtime_.waits()->step(step.run, run.clock, seconds);
  // Of one that goes on beside its rank it is the request that is waited for.
  if (runtime_.delays() == nullptr || seconds <= 0 || run.request != kNothing) return;
  CollectiveDelays::Wait wait{
      .from = run.clock,
      .seconds = seconds,
      .partner = step.kind == Request::Kind::receive ? step.sender : step.peer,
      .delayers = {}};
  runtime_.path()->find_delayers({CriticalPath::Of::run, step.run},
                                 {CriticalPath::Of::request, index}, seconds, wait.delayers);
  delays_.step(step.run, std::move(wait));
}

// A member enters, for the wait states.
void CollectiveRuns::note_entry(std::uint32_t index, double at) {
  const CollectiveRun& run = runs_[index];
  const auto& place = run.communicator->place;
  WaitStates::Entry entry;
  entry.context = run.communicator->context;
  entry.sequence = static_cast<std::uint32_t>(run.tag);
  entry.members = run.communicator->members();
  entry.member = run.call.rank + (place.is_inter() && place.group == 1 ? place.remote_size : 0);
  entry.root = place.is_inter() ? -1 : run.call.root;
  entry.operation = run.call.operation;
  const trace_io::Kind kind = runtime_.actor(run.actor).cursor.procedure().kind;
  entry.is_fence = kind == trace_io::Kind::fence || kind == trace_io::Kind::window_create ||
                   kind == trace_io::Kind::window_free;
  runtime_.waits()->enter(index, entry, at);
  if (runtime_.delays() != nullptr)
    delays_.enter(*runtime_.path(), index, entry, run.actor, runtime_.actor(run.actor).rank, at);
}

// A step is taken at CLOCK: what that time consists of from then on.
void CollectiveRuns::note_step(double clock, std::uint32_t index, double cold) {
  CriticalPath& path = *runtime_.path();
  const Request& request = requests_[index];
  const CriticalPath::Name run{CriticalPath::Of::run, request.run},
      step{CriticalPath::Of::request, index};
  path.await(run, clock, step, request.done);
  const double from = std::max(clock, request.done);
  path.advance(run, from, PathPart::other);
  path.drop(step);
  if (request.kind != Request::Kind::receive) return;
  const double taken = from + runtime_.paths().receive_cost(request);
  const std::uint16_t place = runtime_.place_between(request.sender, request.me);
  path.advance(run, taken, PathPart::receive_overhead,
               runtime_.paths().between(request.sender, request.me).recv_overhead.value,
               PathPart::copy, place);
  path.advance(run, taken + cold, PathPart::cold_caches, place);
  path.advance(
      run, taken + cold + on_grid(request.combines * platform_.reduction_time(request.bytes).value),
      PathPart::combine);
}

[[gnu::always_inline]] inline void CollectiveRuns::step_done(std::uint32_t request) {
  const std::uint32_t index = requests_[request].run;
  take_step(runs_[index], request);
  if (--runs_[index].pending > 0) return;
  advance(index);
  if (!runs_[index].is_finished) return;
  if (runs_[index].request != kNothing) return complete(index);
  const std::uint32_t actor = runs_[index].actor;
  leave(runtime_.actor(actor));
  runtime_.resume_call(actor);
}

void CollectiveRuns::on_step_complete(std::uint32_t request) {
  const CollectiveRun& run = runs_[requests_[request].run];
  if (run.request != kNothing && runtime_.paths().needs_ranks() &&
      !runtime_.is_inside_mpi(runtime_.actor(run.actor).rank))
    held_steps_.push_back(request);
  else
    step_done(request);
}

// Taking one step may hold up another.
void CollectiveRuns::progress(std::int32_t rank) {
  std::vector<std::uint32_t> steps;
  steps.swap(held_steps_);
  for (const std::uint32_t step : steps) {
    CollectiveRun& run = runs_[requests_[step].run];
    if (runtime_.actor(run.actor).rank != rank) {
      held_steps_.push_back(step);
      continue;
    }
    if (runtime_.path() != nullptr) [[unlikely]]
      note_progress(rank, requests_[step].run);
    run.clock = std::max(run.clock, runtime_.now());
    step_done(step);
  }
}

// The run goes on because its rank has entered MPI.
void CollectiveRuns::note_progress(std::int32_t rank, std::uint32_t index) {
  const CriticalPath::Name run{CriticalPath::Of::run, index};
  for (const Actor& actor : runtime_.threads_of(rank))
    if (actor.is_inside && actor.clock == runtime_.now())
      runtime_.path()->await(run, runs_[index].clock, runtime_.name_of(actor), actor.clock);
  runtime_.path()->advance(run, std::max(runs_[index].clock, runtime_.now()), PathPart::other);
}

// A blocking collective is over.
void CollectiveRuns::leave(Actor& actor) {
  const CollectiveRun& run = runs_[actor.collective];
  if (runtime_.waits() != nullptr) [[unlikely]] {
    runtime_.waits()->leave(actor.collective, actor.rank, actor.cursor.site());
    if (runtime_.delays() != nullptr)
      delays_.leave(*runtime_.path(), *runtime_.delays(), actor.collective, run.actor,
                    actor.cursor.site());
  }
  if (CriticalPath* const path = runtime_.path(); path != nullptr) [[unlikely]] {
    path->take_over(runtime_.name_of(actor), {CriticalPath::Of::run, actor.collective});
    path->drop({CriticalPath::Of::run, actor.collective});
  }
  actor.clock = run.clock;
  actor.wait += run.wait;
  runs_.give_back(actor.collective);
  actor.collective = kNothing;
}

void CollectiveRuns::complete(std::uint32_t index) {
  CollectiveRun& run = runs_[index];
  const std::uint32_t made = run.request;
  const double at = run.clock, partner_ready = run.partner_ready;
  run.request = kNothing;
  runs_.give_back(index);
  Request& request = requests_[made];
  if (WaitStates* const waits = runtime_.waits(); waits != nullptr) [[unlikely]] {
    waits->leave_to(index, made);
    if (runtime_.delays() != nullptr) delays_.leave(*runtime_.path(), index);
    if (request.file_access != kNothing) waits->forget(made);  // the meeting of an access
  }
  if (CriticalPath* const path = runtime_.path(); path != nullptr) [[unlikely]] {
    const CriticalPath::Name name{CriticalPath::Of::run, index};
    if (request.file_access != kNothing)
      path->take_over({CriticalPath::Of::access, request.file_access}, name);
    else
      path->take_over({CriticalPath::Of::request, made}, name);
    path->drop(name);
  }
  if (request.file_access != kNothing)
    return listener_->on_met(request.file_access, at, partner_ready);
  request.done = at;
  request.partner_ready = partner_ready;
  request.state = Request::State::complete;
  runtime_.complete(made);
}

std::uint32_t CollectiveRuns::awaited_step(const Actor& actor, std::uint32_t request) const {
  std::uint32_t run = actor.collective;
  for (std::uint32_t r = 0; request != kNothing && r < runs_.size(); ++r)
    if (runs_[r].request == request) run = r;
  for (std::uint32_t i = 0; run != kNothing && i < requests_.size(); ++i)
    if (requests_[i].run == run && requests_[i].state == Request::State::active) return i;
  return kNothing;
}

}  // namespace reprise::sim
