// SPDX-License-Identifier: MIT
// Collectives: schedules carried out round by round with the transport's messages, in the communicator's collective context.
#include <algorithm>

#include "sim/engine/collectives/collective_call.hpp"
#include "sim/engine/files/file_io.hpp"
#include "sim/engine/interpreter.hpp"
#include "sim/site_text.hpp"
#include "sim/time_grid.hpp"

namespace reprise::sim {

using trace_io::Collective;
using trace_io::Field;

Interpreter::Progress Interpreter::collective(std::uint32_t index, const EventFields& fields,
                                              bool blocking) {
  Actor& actor = actors_[index];
  CommunicatorView* view = communicator(actor, fields.scalar(Field::comm));
  if (view == nullptr) return Progress::blocked;
  const Collective operation = actor.cursor.procedure().collective;
  const CollectiveCall call = describe_collective(operation, fields, *view);
  const std::string problem = check_collective(call, *view);
  if (!problem.empty()) {
    fail(actor, problem, "`reprise trace check` tells what else is wrong with the trace");
    return Progress::blocked;
  }
  const std::uint32_t run = enter(index, *view, call);
  if (run == kNothing) return Progress::blocked;
  return begin(index, run, blocking ? -1 : fields.scalar(Field::request));
}

// Members agree on the new communicator's number: modelled as a barrier of those who take part, which is everyone in the parent
// except where MPI says that only the new communicator's members do.
Interpreter::Progress Interpreter::make_communicator(std::uint32_t index, const EventFields& fields,
                                                     bool blocking) {
  Actor& actor = actors_[index];
  const std::int64_t made = fields.scalar(Field::new_comm);
  CommunicatorView* view = communicator(actor, fields.scalar(Field::comm));
  CommunicatorView* new_view = made == trace_io::kNone ? nullptr : communicator(actor, made);
  if (error_) return Progress::blocked;
  if (new_view != nullptr) {
    const auto neighbours = [](std::span<const std::int64_t> codes) {
      std::vector<std::int32_t> members;
      for (const auto code : codes)
        members.push_back(code >= trace_io::kFirstPeer
                              ? static_cast<std::int32_t>(code - trace_io::kFirstPeer)
                              : CollectiveCall::kNobody);
      return members;
    };
    new_view->sources = neighbours(fields.vector(Field::sources));
    new_view->destinations = neighbours(fields.vector(Field::destinations));
  }
  const std::string_view name = actor.cursor.procedure().name;
  if (name == "MPI_Comm_create_group" || name == "MPI_Intercomm_create") view = new_view;
  if (view == nullptr) return Progress::done;
  const std::uint32_t run = enter_meeting(index, *view);
  if (run == kNothing) return Progress::blocked;
  return begin(index, run, blocking ? -1 : fields.scalar(Field::request));
}

CommunicatorView* Interpreter::communicator(const Actor& actor, std::int64_t number) {
  CommunicatorView* view = memberships_.view(actor.rank, number);
  if (view == nullptr)
    fail(actor, "uses communicator " + std::to_string(number) + ", which it does not have",
         "`reprise trace check` tells what else is wrong with the trace");
  return view;
}

std::uint32_t Interpreter::enter_meeting(std::uint32_t index, CommunicatorView& view) {
  CollectiveCall call;
  call.rank = view.place.local_rank;
  call.size = view.place.size;
  call.remote_size = view.place.remote_size;
  call.group = view.place.group;
  return enter(index, view, call);
}

Interpreter::Progress Interpreter::meet(std::uint32_t index, CommunicatorView& view) {
  const std::uint32_t run = enter_meeting(index, view);
  return run == kNothing ? Progress::blocked : begin(index, run, -1);
}

// SLOT: of the request that a non-blocking collective makes, or −1.
Interpreter::Progress Interpreter::begin(std::uint32_t index, std::uint32_t run_index,
                                         std::int64_t slot) {
  CollectiveRun& run = runs_[run_index];
  if (slot < 0) {
    actors_[index].run = run_index;
    advance(run_index);
    if (!runs_[run_index].is_finished) {
      actors_[index].state = Actor::State::in_run;
      return Progress::blocked;
    }
    leave_collective(actors_[index]);
    return Progress::done;
  }
  // The lists are the event's, which is gone when the later rounds come.
  run.send_list.assign(run.call.send_list.begin(), run.call.send_list.end());
  run.receive_list.assign(run.call.receive_list.begin(), run.call.receive_list.end());
  run.call.send_list = run.send_list;
  run.call.receive_list = run.receive_list;
  const std::uint32_t made = transport_.requests().take();
  Request& request = transport_.requests()[made];
  request = Request{};
  request.kind = Request::Kind::collective;
  request.actor = index;
  slot_of(actors_[index], slot) = made;
  run.request = made;
  advance(run_index);
  if (runs_[run_index].is_finished) complete_request_of(run_index);
  return Progress::done;
}

// Starts rounds until one has to be waited for, or there is none left.
void Interpreter::advance(std::uint32_t index) {
  for (;;) {
    CollectiveRun& run = runs_[index];
    run.steps.clear();
    if (!next_round(*run.algorithm, run.call, run.position, run.steps)) {
      run.is_finished = true;
      return;
    }
    for (const Step& step : run.steps) {
      const std::uint32_t made = transport_.requests().take();
      Request& request = transport_.requests()[made];
      request = Request{};
      request.kind = step.kind == Step::Kind::send ? Request::Kind::send : Request::Kind::receive;
      request.actor = run.actor;
      request.run = index;
      request.context = Context::collective(run.communicator->context);
      request.me = actors_[run.actor].rank;
      request.peer = memberships_.member(request.me, *run.communicator, step.peer);
      request.tag = run.tag;
      request.bytes = step.bytes;
      if (step.kind == Step::Kind::combine) {
        request.combines = step.also >= 0 ? 2 : 1;
        has_combined_ = true;
      }
      if (request.kind == Request::Kind::send) {
        run.clock += transport_.mpi_between(request.me, request.peer).send_overhead.value;
        transport_.send(made, run.clock);
      } else {
        transport_.receive(made, run.clock);
      }
      if (transport_.requests()[made].state != Request::State::complete)
        ++run.pending;
      else
        run.complete_at_once.push_back(made);
    }
    // What was there already is taken when all steps are under way, as waiting for them does.
    for (const std::uint32_t made : run.complete_at_once) take_step(run, made);
    run.complete_at_once.clear();
    if (run.pending > 0) return;
  }
}

void Interpreter::take_step(CollectiveRun& run, std::uint32_t index) {
  const Request& request = transport_.requests()[index];
  run.partner_ready = request.partner_ready;
  if (request.done > run.clock) {
    run.wait += std::clamp(request.partner_ready - run.clock, 0.0, request.done - run.clock);
    run.clock = request.done;
  }
  if (request.kind == Request::Kind::receive)
    run.clock += transport_.receive_cost(request) +
                 on_grid(request.combines * platform_.reduction_time(request.bytes).value);
  transport_.requests().give_back(index);
}

void Interpreter::on_step_done(std::uint32_t request) {
  const std::uint32_t index = transport_.requests()[request].run;
  take_step(runs_[index], request);
  if (--runs_[index].pending > 0) return;
  advance(index);
  if (!runs_[index].is_finished) return;
  if (runs_[index].request != kNothing) return complete_request_of(index);
  const std::uint32_t actor = runs_[index].actor;
  leave_collective(actors_[actor]);
  resume_call(actor);
}

// A blocking collective is over.
void Interpreter::leave_collective(Actor& actor) {
  CollectiveRun& run = runs_[actor.run];
  actor.clock = run.clock;
  actor.wait += run.wait;
  runs_.give_back(actor.run);
  actor.run = kNothing;
}

void Interpreter::complete_request_of(std::uint32_t index) {
  const std::uint32_t made = runs_[index].request;
  if (const std::uint32_t access = transport_.requests()[made].file_access; access != kNothing) {
    const double at = runs_[index].clock, partner_ready = runs_[index].partner_ready;
    runs_[index].request = kNothing;
    runs_.give_back(index);
    return file_io_->on_met(access, at, partner_ready);
  }
  Request& request = transport_.requests()[made];
  request.done = runs_[index].clock;
  request.partner_ready = runs_[index].partner_ready;
  request.state = Request::State::complete;
  runs_[index].request = kNothing;
  runs_.give_back(index);
  if (request.is_orphan)
    transport_.requests().give_back(made);
  else
    on_complete(made);
}

}  // namespace reprise::sim
