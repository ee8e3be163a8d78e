// SPDX-License-Identifier: MIT
#include "sim/engine/one_sided/one_sided.hpp"

#include <algorithm>
#include <utility>

namespace reprise::sim {

using trace_io::Field;
using trace_io::Kind;

OneSided::OneSided(Runtime& runtime, std::uint32_t first_context, std::uint32_t stride)
    : runtime_(runtime),
      windows_(runtime.trace().header.ranks, first_context, stride),
      sides_(static_cast<std::size_t>(runtime.trace().header.ranks)) {}

Progress OneSided::execute(std::uint32_t index, const EventFields& fields) {
  Actor& actor = runtime_.actor(index);
  const Kind kind = actor.cursor.procedure().kind;
  if (kind == Kind::window_create) return create(index, fields);
  const std::int64_t slot = fields.scalar(Field::window);
  LocalHandle* window = windows_.find(actor.rank, slot);
  if (window == nullptr)
    return runtime_.fail(actor, "uses window " + std::to_string(slot) + ", which it has not made");
  const Call call{index, fields, *window, side_of(actor.rank, slot)};
  const auto target = [&] { return member(call, fields.scalar(Field::peer)); };
  switch (kind) {
    case Kind::window_free:
      return fence(call, true);
    case Kind::fence:
      return fence(call, false);
    case Kind::post:
      return post(call);
    case Kind::access_start:
      return start(call);
    case Kind::access_complete:
      return complete_accesses(call);
    case Kind::exposure_wait:
      return wait(call);
    case Kind::lock:
      return lock(call, target(), fields.scalar(Field::exclusive) != 0);
    case Kind::lock_all:
      return lock(call, kEveryTarget, false);
    case Kind::unlock:
      return unlock(call, target());
    case Kind::unlock_all:
      return unlock(call, kEveryTarget);
    case Kind::flush:
      return finish(call, target(), false);
    case Kind::flush_all:
      return finish(call, kEveryTarget, false);
    case Kind::flush_local:
      return finish_locally(call, target());
    case Kind::flush_local_all:
      return finish_locally(call, kEveryTarget);
    case Kind::window_sync:
      return Progress::done;
    default:
      return transfer(call);
  }
}

OneSided::Side& OneSided::side_of(std::int32_t rank, std::int64_t slot) {
  return sides_[static_cast<std::size_t>(rank)][slot];
}

std::int32_t OneSided::member(const Call& call, std::int64_t code) {
  if (code == trace_io::kProcNull) return kNobody;
  const std::int32_t rank = runtime_.communicators().peer(actor(call).rank, call.handle.view,
                                                          code - trace_io::kFirstPeer);
  if (rank >= 0) return rank;
  runtime_.fail(actor(call), "names rank " + std::to_string(code - trace_io::kFirstPeer) +
                                 ", which its window does not have");
  return kNobody;
}

bool OneSided::members(const Call& call, std::vector<std::int32_t>& group) {
  group.clear();
  for (const std::int64_t code : call.fields.vector(Field::group)) {
    group.push_back(member(call, code));
    if (group.back() == kNobody) runtime_.fail(actor(call), "names no rank in its group");
    if (runtime_.error()) return false;
  }
  return true;
}

// All members of the communicator meet; a window is there when they have.
Progress OneSided::create(std::uint32_t index, const EventFields& fields) {
  Actor& actor = runtime_.actor(index);
  CommunicatorView* comm = runtime_.communicator(actor, fields.scalar(Field::comm));
  if (comm == nullptr) return Progress::blocked;
  const std::int64_t slot = fields.scalar(Field::window);
  const LocalHandle* object = windows_.open(actor.rank, slot, *comm);
  if (object == nullptr)
    return runtime_.fail(
        actor, "makes window " + std::to_string(slot) + ", which it has already or cannot have");
  side_of(actor.rank, slot) = Side{};
  if (object->object >= locks_.size()) locks_.resize(object->object + 1);
  Locks& locks = locks_[object->object];
  if (const std::uint32_t generation = windows_.generation(object->object);
      locks.generation != generation)
    locks = Locks{generation, {}};
  return runtime_.meet(index, *comm);
}

// Win_fence and Win_free: the own operations are over, then everybody's are.
Progress OneSided::fence(const Call& call, bool frees) {
  if (finish(call, kEveryTarget, true) == Progress::blocked) return Progress::blocked;
  const Progress progress = runtime_.meet(call.index, call.handle.view);
  if (frees && !runtime_.error()) windows_.close(call.handle);
  return progress;
}

Progress OneSided::transfer(const Call& call) {
  Actor& origin = actor(call);
  const std::int32_t me = origin.rank;
  const trace_io::Procedure& procedure = origin.cursor.procedure();
  const Kind kind = procedure.kind;
  const std::int32_t target = member(call, call.fields.scalar(Field::peer));
  if (runtime_.error()) return Progress::blocked;
  std::uint32_t local = kNothing;
  if (call.fields.has(Field::request)) {
    local = make_request(call, target);
    origin.slot(call.fields.scalar(Field::request)) = local;
  }
  if (target == kNobody) {
    if (local != kNothing) runtime_.complete(local, origin.clock, origin.clock);
    return Progress::done;
  }
  const double cold = runtime_.cold_send(
      static_cast<std::uint32_t>(&origin - runtime_.actors().data()), me, target, Bytes{});
  origin.clock += runtime_.paths().between(me, target).send_overhead.value + cold;
  if (runtime_.path() != nullptr) {
    const std::uint16_t place = runtime_.place_between(me, target);
    runtime_.path()->advance(runtime_.name_of(origin), origin.clock - cold, PathPart::send_overhead,
                             place);
    runtime_.path()->advance(runtime_.name_of(origin), origin.clock, PathPart::cold_caches, place);
  }
  if (call.side.outstanding.size() >= call.side.most_outstanding) retire_ended(call.side);

  Bytes out{
      static_cast<std::uint64_t>(std::max<std::int64_t>(0, call.fields.scalar(Field::bytes)))};
  if (procedure.name == "MPI_Compare_and_swap")
    out.value *= 2;  // the new value and the one to compare with
  const std::uint32_t made = operations_.take();
  Operation& operation = operations_[made];
  operation = Operation{};
  operation.origin = me;
  operation.target = target;
  operation.remote = make_request(call, target);
  if (local != kNothing) operation.locals.push_back(local);
  if (CriticalPath* const path = runtime_.path(); path != nullptr) {
    const CriticalPath::Name name{CriticalPath::Of::operation, made};
    path->take_over(name, runtime_.name_of(origin));
    if (kind == Kind::get || kind == Kind::start_get)
      path->delay(name, origin.clock + runtime_.latency(me, target, origin.clock).value,
                  runtime_.ends(me, target));
  }
  operation.out = out;
  call.side.outstanding.push_back(made);

  const auto here = runtime_.paths().end(me), there = runtime_.paths().end(target);
  Seconds at{origin.clock};
  const EventId id = event_id(NetworkEvent::one_sided, made);
  const auto note = [&](std::int32_t from, std::int32_t to, Bytes bytes) {
    ++transfers_;
    runtime_.paths().use_between(from, to).sizes.add(bytes.value);
    runtime_.note_sent(call.index, from, to, bytes);
  };
  if (kind == Kind::get || kind == Kind::start_get) {
    operation.returns = operation.is_returning = true;
    note(target, me, out);
    at = at + runtime_.latency(me, target, at.value);  // the request
    runtime_.post({there, here, out, at, Network::Head::kTravels, id});
    return Progress::done;
  }
  if (kind == Kind::fetch || kind == Kind::start_fetch) {
    operation.returns = true;
    operation.back = Bytes{static_cast<std::uint64_t>(
        std::max<std::int64_t>(0, call.fields.scalar(Field::receive_bytes)))};
    note(target, me, operation.back);
  }
  note(me, target, out);
  runtime_.post({here, there, out, at, Network::Head::kTravels, id});
  return Progress::done;
}

void OneSided::on_tail(std::uint32_t index) {
  Operation& operation = operations_[index];
  const auto origin = runtime_.paths().end(operation.origin),
             target = runtime_.paths().end(operation.target);
  const double now = runtime_.now();
  if (CriticalPath* const path = runtime_.path(); path != nullptr) {
    const bool is_back = operation.returns && operation.is_returning;
    path->travel({CriticalPath::Of::operation, index}, now,
                 is_back ? runtime_.ends(operation.target, operation.origin)
                         : runtime_.ends(operation.origin, operation.target),
                 operation.out);
  }
  if (operation.returns && !operation.is_returning) {
    operation.out = operation.back;
    operation.is_returning = true;
    runtime_.post({target, origin, operation.back, Seconds{now}, Network::Head::kTravels,
                   event_id(NetworkEvent::one_sided, index)});
    return;
  }
  operation.has_ended = true;
  operation.local_end = now;
  const double acknowledged =
      operation.returns ? now
                        : now + runtime_.latency(operation.target, operation.origin, now).value;
  const std::uint32_t remote = operation.remote;
  if (runtime_.path() != nullptr) note_tail(index, acknowledged);
  const std::vector<std::uint32_t> locals = std::move(operation.locals);
  operation.locals.clear();
  if (operation.is_taken) operations_.give_back(index);
  // Ranks go on from here.
  for (const std::uint32_t local : locals)
    runtime_.complete(local, now, runtime_.requests()[local].posted);
  runtime_.complete(remote, acknowledged, runtime_.requests()[remote].posted);
}

// What its ends' times consist of.
void OneSided::note_tail(std::uint32_t index, double acknowledged) {
  CriticalPath& path = *runtime_.path();
  const Operation& operation = operations_[index];
  const CriticalPath::Name name{CriticalPath::Of::operation, index},
      remote{CriticalPath::Of::request, operation.remote};
  for (const std::uint32_t local : operation.locals)
    path.take_over({CriticalPath::Of::request, local}, name);
  path.take_over(remote, name);
  path.delay(remote, acknowledged, runtime_.ends(operation.target, operation.origin));
  path.drop(name);
}

// Operations that nobody asks for by name any more, so that a window that is never flushed does not fill the memory.
void OneSided::retire_ended(Side& side) {
  std::erase_if(side.outstanding, [&](std::uint32_t index) {
    const Operation& operation = operations_[index];
    if (!operation.has_ended) return false;
    double& last = side.ended[operation.target];
    last = std::max(last, runtime_.requests()[operation.remote].done);
    runtime_.requests().give_back(operation.remote);
    operations_.give_back(index);
    return true;
  });
  side.most_outstanding = std::max(kFewOperations, 2 * side.outstanding.size());
}

Progress OneSided::finish(const Call& call, std::int32_t target, bool again) {
  Actor& origin = actor(call);
  if (runtime_.error()) return Progress::blocked;
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
    if (is_meant) Runtime::block_until(origin, entry->second, origin.clock);
    if (is_meant && runtime_.path() != nullptr)
      runtime_.path()->advance(runtime_.name_of(origin), origin.clock, PathPart::one_sided);
    entry = is_meant ? call.side.ended.erase(entry) : std::next(entry);
  }
  if (origin.awaited.empty()) return Progress::done;
  return again ? runtime_.await_first(call.index) : runtime_.await(call.index);
}

Progress OneSided::finish_locally(const Call& call, std::int32_t target) {
  Actor& origin = actor(call);
  if (runtime_.error()) return Progress::blocked;
  for (const std::uint32_t index : call.side.outstanding) {
    Operation& operation = operations_[index];
    if (target != kEveryTarget && operation.target != target) continue;
    if (operation.has_ended) {
      Runtime::block_until(origin, operation.local_end, origin.clock);
      if (runtime_.path() != nullptr)
        runtime_.path()->advance(runtime_.name_of(origin), origin.clock, PathPart::one_sided);
      continue;
    }
    const std::uint32_t local = make_request(call, operation.target);
    operations_[index].locals.push_back(local);
    origin.awaited.push_back({local, -1});
  }
  return runtime_.await(call.index);
}

}  // namespace reprise::sim
