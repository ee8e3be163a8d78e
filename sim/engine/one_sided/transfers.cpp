// SPDX-License-Identifier: MIT
// One-sided operations on the network, and the calls that wait for them.
#include <algorithm>

#include "sim/engine/one_sided/one_sided.hpp"

namespace reprise::sim {

using trace_io::Field;
using trace_io::Kind;

OneSided::Progress OneSided::transfer(const Call& call) {
  Actor& origin = actor(call);
  const std::int32_t me = origin.rank;
  const trace_io::Procedure& procedure = origin.cursor.procedure();
  const Kind kind = procedure.kind;
  const std::int32_t target = member(call, call.fields.scalar(Field::peer));
  if (replay_.error_) return Progress::blocked;
  std::uint32_t local = kNothing;
  if (call.fields.has(Field::request)) {
    local = make_request(call.index, target);
    replay_.slot_of(origin, call.fields.scalar(Field::request)) = local;
  }
  if (target == kNobody) {
    if (local != kNothing) complete(local, origin.clock, origin.clock);
    return Progress::done;
  }
  origin.clock += replay_.transport_.mpi_between(me, target).send_overhead.value;
  if (call.side.outstanding.size() >= call.side.most_outstanding) forget_ended(call.side);

  Bytes out{
      static_cast<std::uint64_t>(std::max<std::int64_t>(0, call.fields.scalar(Field::bytes)))};
  if (procedure.name == "MPI_Compare_and_swap")
    out.value *= 2;  // the new value and the one to compare with
  const std::uint32_t made = operations_.take();
  Operation& operation = operations_[made];
  operation = Operation{};
  operation.origin = me;
  operation.target = target;
  operation.remote = make_request(call.index, target);
  if (local != kNothing) operation.locals.push_back(local);
  call.side.outstanding.push_back(made);

  const auto here = replay_.transport_.socket(me), there = replay_.transport_.socket(target);
  Seconds at{origin.clock};
  const EventId id = Transport::delay_id(Interpreter::kOneSidedEvent, made);
  const auto note = [&](std::int32_t from, std::int32_t to, Bytes bytes) {
    ++transfers_;
    replay_.transport_.note_payload(from, to, bytes);
    replay_.observe_transfer(call.index, from, to, bytes);
  };
  if (kind == Kind::get || kind == Kind::start_get) {
    operation.returns = operation.is_returning = true;
    note(target, me, out);
    at = at + replay_.network_.latency(here, there, at);  // the request
    replay_.network_.start_transfer({there, here, out, at, Network::Head::kTravels, id});
    return Progress::done;
  }
  if (kind == Kind::fetch || kind == Kind::start_fetch) {
    operation.returns = true;
    operation.back = Bytes{static_cast<std::uint64_t>(
        std::max<std::int64_t>(0, call.fields.scalar(Field::receive_bytes)))};
    note(target, me, operation.back);
  }
  note(me, target, out);
  replay_.network_.start_transfer({here, there, out, at, Network::Head::kTravels, id});
  return Progress::done;
}

void OneSided::on_tail(std::uint32_t index) {
  Operation& operation = operations_[index];
  const auto origin = replay_.transport_.socket(operation.origin),
             target = replay_.transport_.socket(operation.target);
  const double now = replay_.network_.now().value;
  if (operation.returns && !operation.is_returning) {
    operation.is_returning = true;
    replay_.network_.start_transfer({target, origin, operation.back, Seconds{now},
                                     Network::Head::kTravels,
                                     Transport::delay_id(Interpreter::kOneSidedEvent, index)});
    return;
  }
  operation.has_ended = true;
  operation.local_end = now;
  const double acknowledged =
      operation.returns ? now : now + replay_.network_.latency(target, origin, Seconds{now}).value;
  const std::uint32_t remote = operation.remote;
  const std::vector<std::uint32_t> locals = std::move(operation.locals);
  operation.locals.clear();
  if (operation.is_taken) operations_.give_back(index);
  // Ranks go on from here.
  for (const std::uint32_t local : locals)
    complete(local, now, replay_.transport_.requests()[local].posted);
  complete(remote, acknowledged, replay_.transport_.requests()[remote].posted);
}

// Operations that nobody asks for by name any more, so that a window that is never flushed does not fill the memory.
void OneSided::forget_ended(Side& side) {
  std::erase_if(side.outstanding, [&](std::uint32_t index) {
    const Operation& operation = operations_[index];
    if (!operation.has_ended) return false;
    double& last = side.ended[operation.target];
    last = std::max(last, replay_.transport_.requests()[operation.remote].done);
    replay_.transport_.requests().give_back(operation.remote);
    operations_.give_back(index);
    return true;
  });
  side.most_outstanding = std::max(kFewOperations, 2 * side.outstanding.size());
}

OneSided::Progress OneSided::finish(const Call& call, std::int32_t target, bool again) {
  Actor& origin = actor(call);
  if (replay_.error_) return Progress::blocked;
  std::erase_if(call.side.outstanding, [&](std::uint32_t index) {
    Operation& operation = operations_[index];
    if (target != kEveryTarget && operation.target != target) return false;
    origin.awaited.push_back({operation.remote, -1});
    operation.is_taken = true;
    if (operation.has_ended) operations_.give_back(index);
    return true;
  });
  for (auto entry = call.side.ended.begin(); entry != call.side.ended.end();) {
    const bool is_meant = target == kEveryTarget || entry->first == target;
    if (is_meant) replay_.block_until(origin, entry->second, origin.clock);
    entry = is_meant ? call.side.ended.erase(entry) : std::next(entry);
  }
  if (origin.awaited.empty()) return Progress::done;
  const Progress progress = replay_.await(call.index);
  if (!again) return progress;
  if (progress == Progress::blocked)
    origin.repeats_event = true;
  else
    replay_.end_call(origin);  // of what was awaited; the call itself goes on
  origin.is_inside = true;
  return progress;
}

OneSided::Progress OneSided::finish_locally(const Call& call, std::int32_t target) {
  Actor& origin = actor(call);
  if (replay_.error_) return Progress::blocked;
  for (const std::uint32_t index : call.side.outstanding) {
    Operation& operation = operations_[index];
    if (target != kEveryTarget && operation.target != target) continue;
    if (operation.has_ended) {
      replay_.block_until(origin, operation.local_end, origin.clock);
      continue;
    }
    const std::uint32_t local = make_request(call.index, operation.target);
    operations_[index].locals.push_back(local);
    origin.awaited.push_back({local, -1});
  }
  return replay_.await(call.index);
}

}  // namespace reprise::sim
