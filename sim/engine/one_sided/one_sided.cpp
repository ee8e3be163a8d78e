// SPDX-License-Identifier: MIT
#include "sim/engine/one_sided/one_sided.hpp"

namespace reprise::sim {

using trace_io::Field;
using trace_io::Kind;

OneSided::OneSided(Interpreter& replay, std::uint32_t first_context, std::uint32_t context_stride)
    : replay_(replay),
      windows_(replay.trace_.header.ranks, first_context, context_stride),
      sides_(static_cast<std::size_t>(replay.trace_.header.ranks)) {}

OneSided::Progress OneSided::execute(std::uint32_t index, const EventFields& fields) {
  Actor& actor = replay_.actors_[index];
  const Kind kind = actor.cursor.procedure().kind;
  if (kind == Kind::window_create) return create(index, fields);
  const std::int64_t slot = fields.scalar(Field::window);
  ObjectSide* object = windows_.find(actor.rank, slot);
  if (object == nullptr) {
    replay_.fail(actor, "uses window " + std::to_string(slot) + ", which it has not made",
                 "`reprise trace check` tells what else is wrong with the trace");
    return Progress::blocked;
  }
  const Call call{index, fields, *object, side_of(actor.rank, slot)};
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
  auto& sides = sides_[static_cast<std::size_t>(rank)];
  if (static_cast<std::size_t>(slot) >= sides.size())
    sides.resize(static_cast<std::size_t>(slot) + 1);
  return sides[static_cast<std::size_t>(slot)];
}

OneSided::Progress OneSided::fail(const Call& call, const std::string& problem) {
  replay_.fail(actor(call), problem,
               "`reprise trace check` tells what else is wrong with the trace");
  return Progress::blocked;
}

std::int32_t OneSided::member(const Call& call, std::int64_t code) {
  if (code == trace_io::kProcNull) return kNobody;
  const std::int32_t rank =
      replay_.memberships_.peer(actor(call).rank, call.object.view, code - trace_io::kFirstPeer);
  if (rank >= 0) return rank;
  fail(call, "names rank " + std::to_string(code - trace_io::kFirstPeer) +
                 ", which its window does not have");
  return kNobody;
}

bool OneSided::members(const Call& call, std::vector<std::int32_t>& group) {
  group.clear();
  for (const std::int64_t code : call.fields.vector(Field::group)) {
    group.push_back(member(call, code));
    if (group.back() == kNobody) fail(call, "names no rank in its group");
    if (replay_.error_) return false;
  }
  return true;
}

std::uint32_t OneSided::make_request(std::uint32_t index, std::int32_t peer) {
  const std::uint32_t made = replay_.transport_.requests().take();
  Request& request = replay_.transport_.requests()[made];
  request = Request{};
  request.kind = Request::Kind::one_sided;
  request.actor = index;
  request.me = replay_.actors_[index].rank;
  request.peer = peer;
  request.posted = replay_.actors_[index].clock;
  return made;
}

void OneSided::complete(std::uint32_t index, double done, double partner_ready) {
  Request& request = replay_.transport_.requests()[index];
  request.state = Request::State::complete;
  request.done = std::max(done, request.posted);
  request.partner_ready = partner_ready;
  if (request.is_orphan)
    replay_.transport_.requests().give_back(index);
  else
    replay_.on_complete(index);
}

// All members of the communicator meet; a window is there when they have.
OneSided::Progress OneSided::create(std::uint32_t index, const EventFields& fields) {
  Actor& actor = replay_.actors_[index];
  CommunicatorView* comm = replay_.communicator(actor, fields.scalar(Field::comm));
  if (comm == nullptr) return Progress::blocked;
  const std::int64_t slot = fields.scalar(Field::window);
  const ObjectSide* object = windows_.open(actor.rank, slot, *comm);
  if (object == nullptr) {
    replay_.fail(actor,
                 "makes window " + std::to_string(slot) + ", which it has already or cannot have",
                 "`reprise trace check` tells what else is wrong with the trace");
    return Progress::blocked;
  }
  side_of(actor.rank, slot) = Side{};
  if (object->object >= locks_.size()) locks_.resize(object->object + 1);
  Locks& locks = locks_[object->object];
  if (const std::uint32_t generation = windows_.generation(object->object);
      locks.generation != generation)
    locks = Locks{generation, {}};
  return replay_.meet(index, *comm);
}

// Win_fence and Win_free: the own operations are over, then everybody's are.
OneSided::Progress OneSided::fence(const Call& call, bool frees) {
  if (finish(call, kEveryTarget, true) == Progress::blocked) return Progress::blocked;
  const Progress progress = replay_.meet(call.index, call.object.view);
  if (frees && !replay_.error_) windows_.close(call.object);
  return progress;
}

}  // namespace reprise::sim
