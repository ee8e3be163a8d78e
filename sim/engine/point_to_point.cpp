// SPDX-License-Identifier: MIT
// Sends and receives: from the recorded call to requests on the transport.
#include <algorithm>

#include "sim/engine/interpreter.hpp"
#include "sim/engine/loop/balance.hpp"

namespace reprise::sim {

using trace_io::Field;

// A request for the call, not yet posted. With peer kNullPeer it is complete: MPI_PROC_NULL costs nothing. kNothing, and the
// error is kept, where communicator or peer do not exist.
std::uint32_t Interpreter::make_request(std::uint32_t index, Request::Kind kind,
                                        const Destination& where) {
  Actor& actor = actors_[index];
  CommunicatorView* view = communicator(actor, where.comm);
  if (view == nullptr) return kNothing;
  std::int32_t peer = kNullPeer;
  if (where.peer == trace_io::kAnySource) {
    peer = kAnyPeer;
  } else if (where.peer >= trace_io::kFirstPeer) {
    peer = memberships_.peer(actor.rank, *view, where.peer - trace_io::kFirstPeer);
    if (peer < 0) {
      fail(actor,
           "names rank " + std::to_string(where.peer - trace_io::kFirstPeer) +
               " of a communicator of " + std::to_string(view->frame_size()) + " ranks",
           "`reprise trace check` tells what else is wrong with the trace");
      return kNothing;
    }
  }
  const std::uint32_t made = transport_.requests().take();
  Request& request = transport_.requests()[made];
  request = Request{};
  request.kind = kind;
  request.mode = actor.cursor.procedure().mode;
  request.site = actor.cursor.site();
  request.actor = index;
  request.context = Context::point_to_point(view->number);
  request.me = actor.rank;
  request.peer = peer;
  request.tag = static_cast<std::int32_t>(where.tag);
  request.bytes = Bytes{static_cast<std::uint64_t>(where.bytes < 0 ? 0 : where.bytes)};
  if (peer == kNullPeer) {
    request.state = Request::State::complete;
    request.done = request.partner_ready = actor.clock;
  }
  return made;
}

void Interpreter::post_send(Actor& actor, std::uint32_t request) {
  if (transport_.requests()[request].peer == kNullPeer) return;
  const Request& sent = transport_.requests()[request];
  actor.clock += transport_.send_cost(sent);
  actor.balance += message_term(sent.me, sent.peer, sent.context, sent.tag);
  transport_.send(request, actor.clock);
}

void Interpreter::post_receive(Actor& actor, std::uint32_t request) {
  const Request& posted = transport_.requests()[request];
  if (posted.peer == kNullPeer) return;
  actor.balance -= message_term(posted.peer, posted.me, posted.context, posted.tag);
  transport_.receive(request, actor.clock);
}

// A wildcard becomes what it matched when it was recorded.
void Interpreter::fix_wildcard(Request& request, std::int64_t matched_peer,
                               std::int64_t matched_tag, bool in_world,
                               const CommunicatorView& view) {
  if (request.peer == kAnyPeer && matched_peer >= trace_io::kFirstPeer) {
    const std::int64_t number = matched_peer - trace_io::kFirstPeer;
    const std::int32_t rank =
        in_world ? static_cast<std::int32_t>(number) : memberships_.peer(request.me, view, number);
    if (rank >= 0 && rank < memberships_.ranks()) request.peer = rank;
  }
  if (request.tag == kAnyTagValue && matched_tag != trace_io::kNone)
    request.tag = static_cast<std::int32_t>(matched_tag);
}

Interpreter::Progress Interpreter::send(std::uint32_t index, const EventFields& fields) {
  Actor& actor = actors_[index];
  const std::uint32_t request =
      make_request(index, Request::Kind::send,
                   {fields.scalar(Field::comm), fields.scalar(Field::peer),
                    fields.scalar(Field::tag), fields.scalar(Field::bytes)});
  if (request == kNothing) return Progress::blocked;
  actor.awaited.push_back({request, -1});
  post_send(actor, request);
  return await(index);
}

Interpreter::Progress Interpreter::receive(std::uint32_t index, const EventFields& fields) {
  Actor& actor = actors_[index];
  const Destination from{fields.scalar(Field::comm), fields.scalar(Field::peer),
                         fields.scalar(Field::tag), fields.scalar(Field::bytes)};
  const bool is_wild = from.peer == trace_io::kAnySource || from.tag == trace_io::kAnyTag;
  const std::uint32_t request = make_request(index, Request::Kind::receive, from);
  if (request == kNothing) return Progress::blocked;
  if (is_wild)
    fix_wildcard(transport_.requests()[request], fields.scalar(Field::matched_peer),
                 fields.scalar(Field::matched_tag), false,
                 *memberships_.view(actor.rank, from.comm));
  actor.awaited.push_back({request, -1});
  post_receive(actor, request);
  return await(index);
}

Interpreter::Progress Interpreter::sendrecv(std::uint32_t index, const EventFields& fields) {
  Actor& actor = actors_[index];
  const std::int64_t comm = fields.scalar(Field::comm);
  const Destination from{comm, fields.scalar(Field::receive_peer),
                         fields.scalar(Field::receive_tag), fields.scalar(Field::receive_bytes)};
  const bool is_wild = from.peer == trace_io::kAnySource || from.tag == trace_io::kAnyTag;
  const std::uint32_t received = make_request(index, Request::Kind::receive, from);
  if (received == kNothing) return Progress::blocked;
  if (is_wild)
    fix_wildcard(transport_.requests()[received], fields.scalar(Field::matched_peer),
                 fields.scalar(Field::matched_tag), false, *memberships_.view(actor.rank, comm));
  const std::uint32_t sent = make_request(
      index, Request::Kind::send,
      {comm, fields.scalar(Field::peer), fields.scalar(Field::tag), fields.scalar(Field::bytes)});
  if (sent == kNothing) return Progress::blocked;
  actor.awaited.push_back({received, -1});
  actor.awaited.push_back({sent, -1});
  post_receive(actor, received);
  post_send(actor, sent);
  return await(index);
}

Interpreter::Progress Interpreter::start_send(std::uint32_t index, const EventFields& fields,
                                              bool now) {
  Actor& actor = actors_[index];
  const std::uint32_t request =
      make_request(index, Request::Kind::send,
                   {fields.scalar(Field::comm), fields.scalar(Field::peer),
                    fields.scalar(Field::tag), fields.scalar(Field::bytes)});
  if (request == kNothing) return Progress::blocked;
  slot_of(actor, fields.scalar(Field::request)) = request;
  if (now) {
    post_send(actor, request);
  } else {
    keep_for_starts(actor, fields.scalar(Field::request), false);
  }
  return Progress::done;
}

Interpreter::Progress Interpreter::start_receive(std::uint32_t index, const EventFields& fields,
                                                 bool now) {
  Actor& actor = actors_[index];
  const Destination from{fields.scalar(Field::comm), fields.scalar(Field::peer),
                         fields.scalar(Field::tag), fields.scalar(Field::bytes)};
  const bool is_wild = from.peer != trace_io::kProcNull &&
                       (from.peer == trace_io::kAnySource || from.tag == trace_io::kAnyTag);
  const std::uint32_t request = make_request(index, Request::Kind::receive, from);
  if (request == kNothing) return Progress::blocked;
  slot_of(actor, fields.scalar(Field::request)) = request;
  if (now) {
    if (is_wild) scout_wildcard(actor, transport_.requests()[request]);
    post_receive(actor, request);
  } else {
    keep_for_starts(actor, fields.scalar(Field::request), is_wild);
  }
  return Progress::done;
}

// The request in the slot is persistent and not started.
void Interpreter::keep_for_starts(Actor& actor, std::int64_t slot, bool is_wild) {
  Request& request = transport_.requests()[slot_of(actor, slot)];
  request.is_persistent = true;
  request.state = Request::State::inactive;
  const auto at = static_cast<std::size_t>(std::max<std::int64_t>(0, slot));
  if (actor.persistent.size() <= at) actor.persistent.resize(at + 1);
  actor.persistent[at] = {request.kind, request.mode, is_wild,      request.context,
                          request.peer, request.tag,  request.bytes};
}

// A non-blocking wildcard receive: its match stands further on in the trace.
void Interpreter::scout_wildcard(Actor& actor, Request& request) {
  if (!actor.scout)
    actor.scout = std::make_unique<WildcardScout>(programs_, Rank{actor.rank}, actor.thread);
  const WildcardScout::Match match = actor.scout->next();
  if (match.state == WildcardScout::Match::State::cancelled)
    request.peer = kNeverComes;
  else if (match.state == WildcardScout::Match::State::matched)
    fix_wildcard(request, match.peer, match.tag, true, CommunicatorView{});
}

Interpreter::Progress Interpreter::start(std::uint32_t index, std::span<const std::int64_t> slots) {
  Actor& actor = actors_[index];
  for (const std::int64_t number : slots) {
    const std::uint32_t* slot = find_slot(index, number);
    if (slot == nullptr) {
      if (error_) return Progress::blocked;
      continue;
    }
    Request& request = transport_.requests()[*slot];
    if (!request.is_persistent) {
      fail(actor, "starts request " + std::to_string(number) + ", which is not persistent",
           "`reprise trace check` tells what else is wrong with the trace");
      return Progress::blocked;
    }
    const Actor& maker = actors_[request.actor];
    const PersistentCall& call =
        maker.persistent[static_cast<std::size_t>(slot - maker.slots.data())];
    request.is_awaited = false;
    request.message = kNothing;
    request.kind = call.kind;
    request.mode = call.mode;
    request.context = call.context;
    request.peer = call.peer;
    request.tag = call.tag;
    request.bytes = call.bytes;
    request.site = actor.cursor.site();
    if (request.peer == kNullPeer) {
      request.state = Request::State::complete;
      request.done = request.partner_ready = actor.clock;
    } else if (request.kind == Request::Kind::send) {
      post_send(actor, *slot);
    } else {
      if (call.is_wild) scout_wildcard(actor, request);
      post_receive(actor, *slot);
    }
  }
  return Progress::done;
}

}  // namespace reprise::sim
