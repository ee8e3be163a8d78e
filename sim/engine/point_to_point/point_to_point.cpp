// SPDX-License-Identifier: MIT
#include "sim/engine/point_to_point/point_to_point.hpp"

#include "sim/engine/loop/balance.hpp"
#include "sim/engine/loop/own_messages.hpp"

namespace reprise::sim {

using trace_io::Field;

namespace {

PointToPoint::Envelope envelope(const EventFields& fields) {
  return {fields.scalar(Field::comm), fields.scalar(Field::peer), fields.scalar(Field::tag),
          fields.scalar(Field::bytes)};
}

bool is_wild(const PointToPoint::Envelope& from) {
  return from.peer == trace_io::kAnySource || from.tag == trace_io::kAnyTag;
}

}  // namespace

PointToPoint::PointToPoint(Runtime& runtime, Transport& transport,
                           const trace_io::Programs& programs, bool wildcards_choose)
    : runtime_(runtime),
      transport_(transport),
      requests_(runtime.requests()),
      programs_(programs),
      wildcards_choose_(wildcards_choose),
      sides_(runtime.actors().size()) {}

std::uint32_t PointToPoint::make_request(std::uint32_t index, Request::Kind kind,
                                         const Envelope& envelope) {
  const Actor& actor = runtime_.actor(index);
  const CommunicatorView* view = runtime_.communicator(actor, envelope.comm);
  if (view == nullptr) return kNothing;
  std::int32_t peer = kNullPeer;
  if (envelope.peer == trace_io::kAnySource && kind == Request::Kind::send) {
    runtime_.fail(actor, "sends to MPI_ANY_SOURCE");
    return kNothing;
  }
  if (envelope.peer == trace_io::kAnySource) {
    peer = kAnyPeer;
  } else if (envelope.peer >= trace_io::kFirstPeer) {
    const std::int64_t number = envelope.peer - trace_io::kFirstPeer;
    peer = runtime_.communicators().peer(actor.rank, *view, number);
    if (peer < 0) {
      runtime_.fail(actor, "names rank " + std::to_string(number) + " of a communicator of " +
                               std::to_string(view->frame_size()) + " ranks");
      return kNothing;
    }
  }
  if (kind == Request::Kind::send && peer >= 0) runtime_.expect_send(actor.rank, peer);
  const std::uint32_t made = runtime_.make_request(index, kind, peer);
  Request& request = requests_[made];
  request.mode = actor.cursor.procedure().mode;
  request.site = actor.cursor.site();
  request.context = Context::point_to_point(view->number);
  request.tag = static_cast<std::int32_t>(envelope.tag);
  request.bytes = Bytes{static_cast<std::uint64_t>(envelope.bytes < 0 ? 0 : envelope.bytes)};
  if (peer == kNullPeer) {
    request.state = Request::State::complete;
    request.done = actor.clock;
  }
  return made;
}

std::uint32_t PointToPoint::make_send(std::uint32_t index, const EventFields& fields) {
  return make_request(index, Request::Kind::send, envelope(fields));
}

// Of a blocking call, which knows its match.
std::uint32_t PointToPoint::make_receive(std::uint32_t index, const EventFields& fields,
                                         const Envelope& from) {
  const std::uint32_t made = make_request(index, Request::Kind::receive, from);
  if (made != kNothing && is_wild(from))
    fix_wildcard(requests_[made], fields.scalar(Field::matched_peer),
                 fields.scalar(Field::matched_tag),
                 runtime_.communicators().view(runtime_.actor(index).rank, from.comm));
  return made;
}

void PointToPoint::post_send(Actor& actor, std::uint32_t request) {
  const Request& sent = requests_[request];
  if (sent.peer == kNullPeer) return;
  const bool is_own = is_own_copy(runtime_.paths().between(sent.me, sent.peer), sent.me, sent.peer);
  const double cold = is_own ? 0 : runtime_.cold_send(sent);
  actor.clock += runtime_.paths().send_cost(sent) + cold;
  if (runtime_.path() != nullptr) [[unlikely]] {
    const std::uint16_t place = runtime_.place_between(sent.me, sent.peer);
    runtime_.path()->advance(runtime_.name_of(actor), actor.clock - cold, PathPart::send_overhead,
                             runtime_.paths().between(sent.me, sent.peer).send_overhead.value,
                             PathPart::copy, place);
    runtime_.path()->advance(runtime_.name_of(actor), actor.clock, PathPart::cold_caches, place);
  }
  actor.balance += message_term(sent.me, sent.peer, sent.context, sent.tag);
  transport_.send(request, actor.clock);
}

void PointToPoint::post_receive(Actor& actor, std::uint32_t request) {
  const Request& posted = requests_[request];
  if (posted.peer == kNullPeer) return;
  actor.balance -= message_term(posted.peer, posted.me, posted.context, posted.tag);
  transport_.receive(request, actor.clock);
}

void PointToPoint::fix_wildcard(Request& request, std::int64_t matched_peer,
                                std::int64_t matched_tag, const CommunicatorView* view) {
  if (request.peer == kAnyPeer && matched_peer >= trace_io::kFirstPeer) {
    const std::int64_t number = matched_peer - trace_io::kFirstPeer;
    const Communicators& communicators = runtime_.communicators();
    const std::int32_t rank = view == nullptr ? static_cast<std::int32_t>(number)
                                              : communicators.peer(request.me, *view, number);
    if (rank >= 0 && rank < communicators.ranks()) {
      request.peer = rank;
      note_sender(request);
    }
  }
  if (request.tag == kAnyTagValue && matched_tag != trace_io::kNone)
    request.tag = static_cast<std::int32_t>(matched_tag);
}

void PointToPoint::note_sender(const Request& request) {
  if (has_kept_order_ ||
      (wildcards_choose_ && WildcardWindow::begins_at(runtime_.actor(request.actor).cursor)))
    return;
  std::int32_t& first = sides_[request.actor].kept_sender;
  if (first == kAnyPeer) first = request.peer;
  has_kept_order_ = first != request.peer;
}

Progress PointToPoint::send(std::uint32_t index, const EventFields& fields) {
  Actor& actor = runtime_.actor(index);
  const std::uint32_t request = make_send(index, fields);
  if (request == kNothing) return Progress::blocked;
  actor.awaited.push_back({request, -1});
  post_send(actor, request);
  return runtime_.await(index);
}

Progress PointToPoint::receive(std::uint32_t index, const EventFields& fields) {
  Actor& actor = runtime_.actor(index);
  const std::uint32_t request = make_receive(index, fields, envelope(fields));
  if (request == kNothing) return Progress::blocked;
  actor.awaited.push_back({request, -1});
  post_receive(actor, request);
  return runtime_.await(index);
}

Progress PointToPoint::sendrecv(std::uint32_t index, const EventFields& fields) {
  Actor& actor = runtime_.actor(index);
  const std::uint32_t received =
      make_receive(index, fields,
                   {fields.scalar(Field::comm), fields.scalar(Field::receive_peer),
                    fields.scalar(Field::receive_tag), fields.scalar(Field::receive_bytes)});
  const std::uint32_t sent = received == kNothing ? kNothing : make_send(index, fields);
  if (sent == kNothing) return Progress::blocked;
  actor.awaited.push_back({received, -1});
  actor.awaited.push_back({sent, -1});
  post_receive(actor, received);
  post_send(actor, sent);
  return runtime_.await(index);
}

Progress PointToPoint::start_send(std::uint32_t index, const EventFields& fields,
                                  bool is_persistent) {
  Actor& actor = runtime_.actor(index);
  const std::uint32_t request = make_send(index, fields);
  if (request == kNothing) return Progress::blocked;
  const std::int64_t slot = fields.scalar(Field::request);
  if (slot == trace_io::kNone && !is_persistent) {  // nothing waits for it
    post_send(actor, request);
    if (requests_[request].state == Request::State::active)
      requests_[request].is_orphan = true;
    else
      requests_.give_back(request);
    return Progress::done;
  }
  actor.slot(slot) = request;
  if (is_persistent)
    keep_for_starts(index, slot, false);
  else
    post_send(actor, request);
  return Progress::done;
}

Progress PointToPoint::start_receive(std::uint32_t index, const EventFields& fields,
                                     bool is_persistent) {
  Actor& actor = runtime_.actor(index);
  const Envelope from = envelope(fields);
  const bool looks_ahead = from.peer != trace_io::kProcNull && is_wild(from);
  const std::uint32_t request = make_request(index, Request::Kind::receive, from);
  if (request == kNothing) return Progress::blocked;
  const std::int64_t slot = fields.scalar(Field::request);
  actor.slot(slot) = request;
  if (is_persistent) {
    keep_for_starts(index, slot, looks_ahead);
    return Progress::done;
  }
  if (looks_ahead) look_ahead(actor, index, requests_[request]);
  post_receive(actor, request);
  return Progress::done;
}

// The request in the slot is persistent and not started.
void PointToPoint::keep_for_starts(std::uint32_t index, std::int64_t slot, bool is_wild) {
  Request& request = requests_[runtime_.actor(index).slot(slot)];
  request.is_persistent = true;
  request.state = Request::State::inactive;
  sides_[index].persistent.at(slot) = {is_wild, request.peer, request.tag};
}

// A non-blocking wildcard receive: its match stands further on in the trace.
void PointToPoint::look_ahead(const Actor& actor, std::uint32_t index, Request& request) {
  auto& lookahead = sides_[index].lookahead;
  if (!lookahead)
    lookahead = std::make_unique<WildcardLookahead>(programs_, Rank{actor.rank}, actor.thread);
  const WildcardLookahead::Match match = lookahead->next();
  if (match.state == WildcardLookahead::Match::State::cancelled)
    request.peer = kNeverComes;
  else if (match.state == WildcardLookahead::Match::State::matched)
    fix_wildcard(request, match.peer, match.tag, nullptr);
}

void PointToPoint::on_jump(std::uint32_t index) {
  if (auto& lookahead = sides_[index].lookahead; lookahead)
    lookahead->restart(runtime_.actor(index).cursor.cursor());
}

Progress PointToPoint::start(std::uint32_t index, std::span<const std::int64_t> slots) {
  Actor& actor = runtime_.actor(index);
  for (const std::int64_t number : slots) {
    const std::uint32_t* slot = runtime_.find_slot(index, number);
    if (slot == nullptr) {
      if (runtime_.error()) return Progress::blocked;
      continue;
    }
    Request& request = requests_[*slot];
    if (!request.is_persistent)
      return runtime_.fail(
          actor, "starts request " + std::to_string(number) + ", which is not persistent");
    if (request.state == Request::State::active)
      return runtime_.fail(actor, "starts request " + std::to_string(number) + ", which is active");
    const PersistentCall& call = sides_[request.actor].persistent.at(number);
    request.is_awaited = false;
    request.message = kNothing;
    request.peer = call.peer;
    request.tag = call.tag;
    request.site = actor.cursor.site();
    if (request.peer == kNullPeer) {
      request.state = Request::State::complete;
      request.done = request.partner_ready = actor.clock;
    } else if (request.kind == Request::Kind::send) {
      post_send(actor, *slot);
    } else {
      if (call.is_wild) look_ahead(actor, index, request);
      post_receive(actor, *slot);
    }
  }
  return Progress::done;
}

}  // namespace reprise::sim
