// SPDX-License-Identifier: MIT
// How messages travel: MPI's protocols over the network, and the matching of sends with receives.
//
// Eager       (payload up to the eager limit, ready and buffered sends): the send is complete when called; the message starts
//             at once, meets its receive when its head arrives, and the receive completes with its tail.
// Rendezvous  (larger, or synchronous): a request to send takes one route latency; when it has met its receive, the clearance
//             takes one back; then the payload travels. Both sides complete with its tail. Without the handshake
//             (platform.mpi.rendezvous_handshake) the request is the message's head and the payload flows from the moment
//             of meeting; or, where the head comes with the payload (rendezvous_head), there is no request: send and receive
//             meet when both are there, and the whole message travels then.
// Order       messages from one rank to another on one communicator meet receives in the order of sending, whatever overtook
//             what on the way.
// Progress    where the path's MPI makes progress in calls only, a request to send is answered once its receiver is inside an MPI
//             call, and a clearance once its sender is.
// Completion  where the path has acknowledgements, a send of that size (not a buffered one) is complete that long after the tail.
// Copies      an eager message that came before its receive, and the payload of a buffered send, are copied at the path's
//             copy bandwidth, if it has one.
// Time        calls carry the time at which the rank makes them, which may be ahead of the network's clock.
// Buffers     a buffered send above the eager limit uses rendezvous, with the send complete when called. Its message stays in the buffer
//             until its tail: a request that no call knows, which waits for MPI_Buffer_detach or goes when it is complete.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/engine/loop/own_messages.hpp"
#include "sim/engine/loop/runtime.hpp"
#include "sim/engine/point_to_point/matching.hpp"
#include "sim/network/large_pages.hpp"
#include "sim/network/pool.hpp"

namespace reprise::sim {

// Hears that a message has come for which an actor watches.
class ProbeListener {
 public:
  virtual ~ProbeListener() = default;
  virtual void on_probed(std::uint32_t actor, std::uint32_t message) = 0;
};

class Transport {
 public:
  explicit Transport(Runtime&);
  void set_probe_listener(ProbeListener& listener) { probes_ = &listener; }

  // The request's fields say what; its state tells whether it is complete already. REQUIRES: peer is a rank or a wildcard.
  void send(std::uint32_t request, double at);
  void receive(std::uint32_t request, double at);
  void receive_claimed(std::uint32_t request, std::uint32_t message, double at);
  // Whether the receive was still unmatched and is withdrawn.
  bool withdraw(std::uint32_t request);
  // The requests of messages that are in the rank's buffer: whoever takes them has to await them.
  std::vector<std::uint32_t> take_buffered(std::int32_t rank);

  std::uint32_t find_unexpected(std::int32_t rank, const Pattern&) const;
  void find_unexpected(std::int32_t rank, const Pattern&, std::vector<std::uint32_t>& found) const;
  void expect(std::uint32_t message) { messages_[message].is_expected = true; }
  void claim(std::uint32_t message);
  void watch(std::int32_t rank, const Pattern&, std::uint32_t actor);

  // The rank has entered MPI: what was held up for it goes on.
  void progress(std::int32_t rank);
  void on_head(std::uint32_t message);
  void on_tail(std::uint32_t message);
  void on_request_to_send(std::uint32_t message);
  void on_clearance(std::uint32_t message);
  void on_acknowledgement(std::uint32_t send);

  // What will be asked for when the message's head or tail comes is fetched from memory, a step of the way at a time
  // (event_heap.hpp). Returns, once and a step after it was asked for, the request that will be complete then or, of a collective's message
  // whose head comes, soon after; kNothing else, and where it is not known.
  std::uint32_t prepare(std::uint32_t message, unsigned steps) const;

  const Message& message(std::uint32_t index) const { return messages_[index]; }

 private:
  void arrive(std::uint32_t message);
  void arrive_in_order(std::uint32_t message);
  static MatchEntry under_way(const Message&, std::uint32_t index);
  void match(std::uint32_t message, std::uint32_t request, double at);
  void complete(std::uint32_t request);
  void complete_send(std::uint32_t request, Seconds acknowledgement);
  std::uint32_t keep_in_buffer(std::uint32_t sent);
  bool must_wait_for(std::int32_t rank, const Message&) const;
  void answer(std::uint32_t message, double at);
  double until_met(const Message&) const;
  bool is_own_copy(const Message& message) const {
    return sim::is_own_copy(paths_.between(message.from, message.to), message.from, message.to);
  }
  Seconds acknowledgement(const Message& message) const {
    if (is_own_copy(message)) return {};
    return paths_.between(message.from, message.to).acknowledgement(message.bytes);
  }
  void start_payload(std::uint32_t message);
  void note_received(const Message&, std::uint32_t receive, double at);
  // message_paths.cpp
  void note_posted(CriticalPath::Name, const Request& by);
  void note_head(std::uint32_t message);
  void note_request(std::uint32_t message);
  void note_clearance(std::uint32_t message);
  void note_own_copy(std::uint32_t message);
  void note_arrival(std::uint32_t message);
  void note_match(std::uint32_t message, double at);
  void note_progress(std::int32_t rank, std::uint32_t message);
  void note_tail(std::uint32_t message, std::uint32_t send);
  void note_acknowledged(std::uint32_t send);
  void note_order(std::uint32_t message, std::uint32_t receive);

  void truncate(const Message&, const Request&);
  bool may_cut_short() const;

  Runtime& runtime_;
  Paths& paths_;
  Pool<Request>& requests_;
  ProbeListener* probes_ = nullptr;
  Pool<Message> messages_;
  LargeArray<Mailbox> mailboxes_;  // by rank
  // Latencies that depend on sizes let messages overtake: then, by sender, those whose heads are on the way, in order.
  const bool may_overtake_;
  LargeArray<MatchQueue> heads_under_way_;
  std::unordered_map<std::int32_t, std::vector<std::uint32_t>> buffered_;  // by rank, in order
  std::vector<std::vector<std::uint32_t>>
      held_;  // by rank: messages whose next step needs it inside MPI
};

}  // namespace reprise::sim
