// SPDX-License-Identifier: MIT
// What the times of messages consist of, step by step of their protocols, for the critical path; and in what order they are received.
//
// Apart from the protocols, and not inlined: where nobody asks, they shall cost a test of a pointer.
#include <algorithm>

#include "sim/engine/point_to_point/transport.hpp"

namespace reprise::sim {
namespace {

CriticalPath::Name name_of_message(std::uint32_t index) {
  return {CriticalPath::Of::message, index};
}
CriticalPath::Name name_of_request(std::uint32_t index) {
  return {CriticalPath::Of::request, index};
}

}  // namespace

void Transport::note_posted(CriticalPath::Name name, const Request& request) {
  runtime_.path()->take_over(name, Runtime::poster(request));
}

void Transport::note_head(std::uint32_t index) {
  const Message& message = messages_[index];
  runtime_.path()->head(name_of_message(index), runtime_.now(),
                        runtime_.ends(message.from, message.to), message.bytes);
}

void Transport::note_request(std::uint32_t index) {
  const Message& message = messages_[index];
  const platforms::Mpi& mpi = paths_.between(message.from, message.to);
  if (mpi.meets_at_once()) return;
  runtime_.path()->delay(name_of_message(index), runtime_.now(),
                         runtime_.ends(message.from, message.to),
                         mpi.rendezvous_handshake ? PathPart::handshake : PathPart::latency);
}

void Transport::note_clearance(std::uint32_t index) {
  const Message& message = messages_[index];
  runtime_.path()->delay(name_of_message(index), runtime_.now(),
                         runtime_.ends(message.to, message.from), PathPart::handshake);
}

void Transport::note_own_copy(std::uint32_t index) {
  const Message& message = messages_[index];
  runtime_.path()->advance(name_of_message(index), runtime_.now(), PathPart::copy,
                           runtime_.place_between(message.from, message.to));
}

// It may be met: later than its head came where that had to wait for an earlier message's.
void Transport::note_arrival(std::uint32_t index) {
  if (!messages_[index].has_tail)
    runtime_.path()->advance(name_of_message(index), runtime_.now(), PathPart::sharing);
}

// Both have met. A rendezvous goes on from the later of the two; an eager message that is all there ends with it.
void Transport::note_match(std::uint32_t index, double at) {
  CriticalPath& path = *runtime_.path();
  const Message& message = messages_[index];
  const Request& receive = requests_[message.receive];
  if (message.is_rendezvous)
    return path.await(name_of_message(index), message.arrived, name_of_request(message.receive),
                      receive.posted);
  if (!message.has_tail) return;
  if (at > receive.posted)  // it overtook, and had to wait
    path.advance(name_of_message(index), at, PathPart::sharing);
  path.await(name_of_request(message.receive), receive.posted, name_of_message(index), at);
  path.drop(name_of_message(index));
}

// The message goes on because the rank has entered MPI.
void Transport::note_progress(std::int32_t rank, std::uint32_t index) {
  const CriticalPath::Name message{CriticalPath::Of::message, index};
  for (const Actor& actor : runtime_.threads_of(rank))
    if (actor.is_inside && actor.clock == runtime_.now())
      runtime_.path()->take_over(message, runtime_.name_of(actor));
  runtime_.path()->advance(message, runtime_.now(), PathPart::other);
}

// Its payload is there: what that time consists of is its requests' from now on.
void Transport::note_tail(std::uint32_t index, std::uint32_t send) {
  CriticalPath& path = *runtime_.path();
  const Message& message = messages_[index];
  const CriticalPath::Name name{CriticalPath::Of::message, index};
  path.body(name, runtime_.now(), runtime_.ends(message.from, message.to), message.bytes);
  if (send != kNothing) path.take_over({CriticalPath::Of::request, send}, name);
  if (message.receive == kNothing) return;
  const CriticalPath::Name receive{CriticalPath::Of::request, message.receive};
  path.await(receive, requests_[message.receive].posted, name, runtime_.now());
  path.drop(name);
}

// A message meets the receive that waits for it: whether one that was sent before is there and not asked for.
void Transport::note_order(std::uint32_t index, std::uint32_t receive) {
  const Message& message = messages_[index];
  std::vector<std::uint32_t> found;
  find_unexpected(message.to, {message.context, kAnyPeer, kAnyTagValue}, found);
  const bool is_wrong = std::any_of(found.begin(), found.end(), [&](std::uint32_t other) {
    return messages_[other].issued < message.issued;
  });
  if (is_wrong) runtime_.waits()->mark_wrong_order(receive);
}

void Transport::note_acknowledged(std::uint32_t send) {
  const Request& request = requests_[send];
  runtime_.path()->advance(name_of_request(send), runtime_.now(), PathPart::acknowledgement,
                           runtime_.place_between(request.me, request.peer));
}

void Transport::note_received(const Message& message, std::uint32_t receive, double at) {
  const Request& request = requests_[receive];
  runtime_.note_received({message.from, message.to, message.tag, message.context.is_collective(),
                          message.site, request.site, message.bytes, message.issued, request.posted,
                          at});
}

}  // namespace reprise::sim
