// SPDX-License-Identifier: MIT
#include "sim/export/timeline/call_messages.hpp"

namespace reprise::sim {

using trace_io::Field;
using trace_io::kFirstPeer;
using trace_io::Kind;

std::int64_t scalar_of(const TimedCall& call, Field wanted) {
  std::size_t at = 0;
  for (const auto& spec : trace_io::fields(call.procedure)) {
    if (spec.is_vector) break;
    if (spec.field == wanted) return call.scalars[at];
    ++at;
  }
  return trace_io::kNone;
}

namespace {

std::int64_t at(const TimedCall& call, std::size_t vector, std::size_t i) {
  return i < call.vectors[vector].size() ? call.vectors[vector][i] : trace_io::kNone;
}

}  // namespace

CallMessages::CallMessages(const trace_io::Trace& trace)
    : numbers_(trace), communicators_(trace), open_(static_cast<std::size_t>(trace.header.ranks)) {}

std::int32_t CallMessages::world(Rank rank, std::int64_t comm, std::int64_t peer) const {
  const auto found =
      peer < kFirstPeer ? std::nullopt : communicators_.world_rank(rank, comm, peer - kFirstPeer);
  return found ? found->value : -1;
}

void CallMessages::call(Rank rank, const TimedCall& call, Listener& listener) {
  const Kind kind = call.procedure.kind;
  const std::int64_t comm = scalar_of(call, Field::comm);
  if (kind == Kind::send || kind == Kind::sendrecv || kind == Kind::start_send)
    send(rank, world(rank, comm, scalar_of(call, Field::peer)), {comm, scalar_of(call, Field::tag)},
         call, scalar_of(call, Field::bytes), listener);
  if (kind == Kind::receive || kind == Kind::sendrecv) {
    const bool both = kind == Kind::sendrecv;
    std::int64_t peer = scalar_of(call, both ? Field::receive_peer : Field::peer),
                 tag = scalar_of(call, both ? Field::receive_tag : Field::tag);
    if (const auto found = scalar_of(call, Field::matched_peer); found >= kFirstPeer) peer = found;
    if (const auto found = scalar_of(call, Field::matched_tag); found >= 0) tag = found;
    receive(world(rank, comm, peer), rank, {comm, tag}, {call.begin, call.end}, listener);
  }
  if (kind == Kind::start_receive)
    open_[static_cast<std::size_t>(rank.value)][call.started] = {
        true, call.begin, comm, scalar_of(call, Field::peer), scalar_of(call, Field::tag)};
  // Taken for successful: else the receive would wait for a message that never comes, or take a later one.
  if (kind == Kind::cancel)
    for (const std::int64_t request : call.named)
      open_[static_cast<std::size_t>(rank.value)].erase(request);
  complete(rank, call, listener);
}

void CallMessages::complete(Rank rank, const TimedCall& call, Listener& listener) {
  auto& open = open_[static_cast<std::size_t>(rank.value)];
  for (std::size_t i = 0; i < call.ended.size(); ++i) {
    const auto found = open.find(call.ended[i]);
    if (found == open.end()) continue;
    const Open& request = found->second;
    std::int32_t from = world(rank, request.comm, request.peer);
    std::int64_t tag = request.tag;
    // Matched peers are world ranks.
    const bool listed = !call.vectors.empty();
    const auto peer =
        listed ? at(call, call.vectors.size() - 2, i) : scalar_of(call, Field::matched_peer);
    const auto matched_tag =
        listed ? at(call, call.vectors.size() - 1, i) : scalar_of(call, Field::matched_tag);
    if (peer >= kFirstPeer) from = static_cast<std::int32_t>(peer - kFirstPeer);
    if (matched_tag >= 0) tag = matched_tag;
    receive(from, rank, {request.comm, tag}, {request.posted, call.end}, listener);
    open.erase(found);
  }
}

void CallMessages::send(Rank from, std::int32_t to, Envelope envelope, const TimedCall& call,
                        std::int64_t bytes, Listener& listener) {
  if (to < 0) return;
  matches_.send({numbers_.number(from, envelope.comm), from.value, to, envelope.tag},
                {listener.on_send(), call.begin, call.end, bytes},
                [&](const auto& sent, const auto& received) {
                  listener.on_match(from, Rank{to}, envelope.tag, sent, received);
                });
}

void CallMessages::receive(std::int32_t from, Rank to, Envelope envelope,
                           MessageMatches::Receive received, Listener& listener) {
  if (from < 0) return;
  listener.on_receive(Rank{from}, to);
  matches_.receive({numbers_.number(to, envelope.comm), from, to.value, envelope.tag}, received,
                   [&](const auto& sent, const auto& met) {
                     listener.on_match(Rank{from}, to, envelope.tag, sent, met);
                   });
}

}  // namespace reprise::sim
