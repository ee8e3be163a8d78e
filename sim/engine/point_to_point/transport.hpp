// SPDX-License-Identifier: MIT
// How messages travel: MPI's protocols over the network, and the matching of sends with receives.
//
// Eager       (payload up to the eager limit, ready and buffered sends): the send is complete when called; the message starts
//             at once, meets its receive when its head arrives, and the receive completes with its tail.
// Rendezvous  (larger, or synchronous): a request to send takes one route latency; when it has met its receive, the clearance
//             takes one back; then the payload travels. Both sides complete with its tail. Without the handshake
//             (platform.mpi.rendezvous_handshake) the request is the message's head and the payload flows from the moment
//             of meeting.
// Order       messages from one rank to another on one communicator meet receives in the order of sending, whatever overtook
//             what on the way.
// Progress    where the path's MPI makes progress in calls only, a request to send is answered once its receiver is inside an MPI
//             call, and a clearance once its sender is.
// Completion  where the path has acknowledgements, a send of that size (not a buffered one) is complete that long after the tail.
// Copies      an eager message that came before its receive, and the payload of a buffered send, are copied at the path's
//             copy bandwidth, if it has one.
// Time        calls carry the time at which the rank makes them, which may be ahead of the network's clock.
// A buffered send above the eager limit goes by rendezvous, with the send complete when called.
#pragma once

#include <cstdint>
#include <vector>

#include "platforms/placement.hpp"
#include "platforms/platform.hpp"
#include "platforms/settings_use.hpp"
#include "sim/engine/loop/request.hpp"
#include "sim/engine/point_to_point/matching.hpp"
#include "sim/network/network.hpp"
#include "sim/network/pool.hpp"

namespace reprise::sim {

class TransportListener {
 public:
  virtual ~TransportListener() = default;
  virtual void on_sent(const Request&) = 0;             // a payload
  virtual void on_complete(std::uint32_t request) = 0;  // at the network's now
  virtual void on_probed(std::uint32_t actor,
                         std::uint32_t message) = 0;  // a watched-for message has come
  virtual void on_truncated(std::uint32_t message,
                            std::uint32_t receive) = 0;     // more was sent than there is room for
  virtual bool is_inside_mpi(std::int32_t rank) const = 0;  // at the network's now
};

class Transport {
 public:
  Transport(Network&, const platforms::Platform&, std::vector<platforms::RankLocation>,
            TransportListener&);

  // The request's fields say what; its state tells whether it is complete already. REQUIRES: peer is a rank or a wildcard.
  void send(std::uint32_t request, double at);
  void receive(std::uint32_t request, double at);
  void receive_claimed(std::uint32_t request, std::uint32_t message, double at);
  // Whether the receive was still unmatched and is withdrawn.
  bool withdraw(std::uint32_t request);

  std::uint32_t find_unexpected(std::int32_t rank, const Pattern&) const;
  void find_unexpected(std::int32_t rank, const Pattern&, std::vector<std::uint32_t>& found) const;
  void expect(std::uint32_t message) { messages_[message].is_expected = true; }
  void claim(std::uint32_t message);
  void watch(std::int32_t rank, const Pattern&, std::uint32_t actor);

  // The rank has entered MPI: what was held up for it goes on.
  void progress(std::int32_t rank);
  // Whether any path's handshakes need their ranks.
  bool needs_ranks() const {
    return network_mpi_.progress == platforms::Progress::kInCalls ||
           intra_node_mpi_.progress == platforms::Progress::kInCalls;
  }
  // CPU time of a rank when it sends, and when it takes a message that was received.
  double send_cost(const Request&);
  double receive_cost(const Request&);
  // A payload that does not come through send(): of a one-sided transfer.
  void note_own_copy() { path_use(0, 0).has_copies = true; }  // inside a node
  void note_payload(std::int32_t from, std::int32_t to, Bytes);
  const platforms::SettingsUse& use() const { return use_; }

  void on_head(std::uint32_t message);
  void on_tail(std::uint32_t message);
  void on_request_to_send(std::uint32_t message);
  void on_clearance(std::uint32_t message);
  void on_acknowledgement(std::uint32_t send);

  // What will be asked for when the message's head or tail comes is fetched from memory, a step of the way at a time
  // (event_heap.hpp). Returns the request that will be complete then, as far as that is known with 0 steps left.
  std::uint32_t prepare(std::uint32_t message, unsigned steps) const;

  Pool<Request>& requests() { return requests_; }
  const Pool<Request>& requests() const { return requests_; }
  const Message& message(std::uint32_t index) const { return messages_[index]; }
  // MPI's costs on the way between two ranks: a node's own path may have its own.
  const platforms::Mpi& mpi_between(std::int32_t from, std::int32_t to) const {
    return node(from) == node(to) ? intra_node_mpi_ : network_mpi_;
  }

  const std::vector<platforms::NodeIndex>& sockets() const { return sockets_; }  // by rank
  platforms::NodeIndex node_of(std::int32_t rank) const { return node(rank); }
  // What the network takes as an end: the rank's socket.
  platforms::NodeIndex socket(std::int32_t rank) const {
    return sockets_[static_cast<std::size_t>(rank)];
  }
  platforms::NodeIndex node(std::int32_t rank) const {
    return locations_[static_cast<std::size_t>(rank)].node;
  }

  // What delays are told apart by: its own, and the interpreter's. Its own transfers have kind 0.
  enum class Delay : std::uint64_t {
    request_to_send,
    clearance,
    acknowledgement,  // of a message, at its sender
    resume,           // the network has caught up with an actor
    compute,          // … and it begins to compute on a shared core
    cores,            // a stretch of computing on a shared core may be over
    one_sided,        // a message of a window's synchronisation; the kind of its transfers as well
    file_latency,     // an access reaches its storage
    storage_turn,     // a storage may have finished an access
  };
  static EventId delay_id(Delay what, std::uint32_t index) {
    return static_cast<std::uint64_t>(what) << 32 | index;
  }

 private:
  platforms::PathUse& path_use(std::int32_t from, std::int32_t to) {
    return node(from) == node(to) ? use_.inside_nodes : use_.between_nodes;
  }
  void arrive(std::uint32_t message);
  void arrive_in_order(std::uint32_t message);
  void match(std::uint32_t message, std::uint32_t request, double at);
  void complete(std::uint32_t request);
  void complete_send(std::uint32_t request, Seconds acknowledgement);
  bool must_wait_for(std::int32_t rank, const Message&) const;
  void answer(std::uint32_t message, double at);
  void start_payload(std::uint32_t message);

  Network& network_;
  const platforms::Mpi network_mpi_, intra_node_mpi_;
  const std::vector<platforms::RankLocation> locations_;
  const std::vector<platforms::NodeIndex> sockets_;  // by rank: between which messages travel
  TransportListener& listener_;
  platforms::SettingsUse use_;  // of the paths
  Pool<Request> requests_;
  Pool<Message> messages_;
  std::vector<Mailbox> mailboxes_;  // by rank
  // Latencies that depend on sizes let messages overtake: then, by sender, those whose heads are on the way, in order.
  const bool may_overtake_;
  std::vector<std::vector<std::uint32_t>> heads_under_way_;
  std::vector<std::vector<std::uint32_t>>
      held_;  // by rank: messages whose next step needs it inside MPI
};

}  // namespace reprise::sim
