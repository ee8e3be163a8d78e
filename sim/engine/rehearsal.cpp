// SPDX-License-Identifier: MIT
#include "sim/engine/rehearsal.hpp"

#include <algorithm>

#include "sim/engine/interpreter.hpp"
#include "sim/network/network_model.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

using trace_io::Field;
using trace_io::Kind;

// A node for each rank, no message small enough to be sent ahead, a storage so that calls on files meet.
platforms::Platform machine_for(std::int32_t ranks) {
  platforms::Platform machine;
  machine.name = "rehearsal";
  machine.nodes.count = static_cast<std::uint32_t>(ranks);
  machine.nodes.cores = 1;
  machine.intra_node = {BytesPerSecond{1e12}, Seconds{1e-6}, platforms::Sharing::kUncontended};
  machine.network = platforms::Network{
      platforms::Star{}, {BytesPerSecond{1e12}, Seconds{1e-6}, platforms::Sharing::kUncontended}};
  machine.mpi.eager_limit = Bytes{0};
  machine.intra_node_mpi = machine.mpi;
  machine.storage.emplace();
  machine.storage->read_bandwidth = machine.storage->write_bandwidth = BytesPerSecond{1e12};
  return machine;
}

}  // namespace

std::vector<CarriedOut> Interpreter::rehearse() {
  is_rehearsal_ = true;
  runtime_.go_on_without_receivers(unreceived_);
  try {
    run();
  } catch (const ReplayError&) {
    // Deadlocked, or a call that does not fit: everybody stands where that was found out.
  }
  std::vector<CarriedOut> all;
  for (const Actor& actor : runtime_.actors()) {
    const bool is_all = actor.state == Actor::State::finished;
    const bool is_under_way = !is_all && actor.operations > 0;  // in a call that did not end
    all.push_back({actor.rank, actor.thread, actor.operations - (is_under_way ? 1 : 0), is_all});
  }
  const auto take_back = [&all](std::uint32_t actor, std::uint64_t call) {
    all[actor].events = std::min(all[actor].events, call - 1);
    all[actor].is_all = false;
  };
  for (const auto& [index, call] : unreceived_) take_back(runtime_.requests()[index].actor, call);
  for (const auto& [index, began] : started_) {
    const Request& request = runtime_.requests()[index];
    const bool is_met = request.kind == Request::Kind::collective ||
                        request.kind == Request::Kind::one_sided;  // a file's
    if (is_met && request.state == Request::State::active) take_back(request.actor, began);
  }
  return all;
}

// A collective of which no member leaves before all have entered, whatever it is.
Progress Interpreter::meet_all(std::uint32_t index, const EventFields& fields) {
  const Actor& actor = runtime_.actor(index);
  CommunicatorView* view = runtime_.communicator(actor, fields.scalar(Field::comm));
  if (view == nullptr) return Progress::blocked;
  if (actor.cursor.procedure().kind == Kind::collective) return collectives_.meet(index, *view);
  const std::uint32_t meeting = collectives_.enter(index, *view);
  if (meeting == kNothing) return Progress::blocked;
  const std::uint32_t made = runtime_.make_request(index, Request::Kind::collective, 0);
  runtime_.actor(index).slot(fields.scalar(Field::request)) = made;
  collectives_.begin(meeting, made, actor.clock);
  return Progress::done;
}

// Requests that all members have a part in, and which of the actor's calls made them.
void Interpreter::note_started(std::uint32_t index) {
  Actor& actor = runtime_.actor(index);
  switch (actor.cursor.procedure().kind) {
    case Kind::start_collective:
    case Kind::start_comm_create:
    case Kind::start_file_read_all:
    case Kind::start_file_write_all:
      break;
    case Kind::wait:
    case Kind::wait_all:
    case Kind::wait_any:
    case Kind::wait_some:
      return;
    default:  // what a call that blocks awaits is its own, in the place of a request that was complete
      for (const auto& awaited : actor.awaited) started_.erase(awaited.request);
      return;
  }
  if (runtime_.error()) return;
  const EventFields fields(actor.cursor);
  if (const std::uint32_t* made = actor.find_slot(fields.scalar(Field::request)))
    started_[*made] = actor.operations;
}

std::vector<CarriedOut> rehearse(const trace_io::Trace& trace) {
  const platforms::Platform machine = machine_for(trace.header.ranks);
  ReplaySettings settings;
  settings.network = *find_network("uncontended");
  settings.deltas = Deltas::mean;
  settings.wildcards = Wildcards::recorded;
  settings.fast_forward = false;
  const trace_io::Programs programs(trace);
  const auto network = model_of(settings.network).make(machine, {});
  return Interpreter(trace, programs, machine, settings, *network).rehearse();
}

}  // namespace reprise::sim
