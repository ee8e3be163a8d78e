// SPDX-License-Identifier: MIT
// Sends, receives and persistent requests: from the recorded call to requests on the transport.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/engine/loop/runtime.hpp"
#include "sim/engine/point_to_point/transport.hpp"
#include "sim/engine/point_to_point/wildcards.hpp"

namespace reprise::sim {

class PointToPoint {
 public:
  // WILDCARDS_CHOOSE: blocking calls that ask for any source may take another message than the recorded one (probes.hpp).
  PointToPoint(Runtime&, Transport&, const trace_io::Programs&, bool wildcards_choose);

  Progress send(std::uint32_t actor, const EventFields&);
  Progress receive(std::uint32_t actor, const EventFields&);
  Progress sendrecv(std::uint32_t actor, const EventFields&);
  // Isend and Irecv, or, to be STARTED later, Send_init and Recv_init.
  Progress start_send(std::uint32_t actor, const EventFields&, bool is_persistent);
  Progress start_receive(std::uint32_t actor, const EventFields&, bool is_persistent);
  // Persistent requests.
  Progress start(std::uint32_t actor, std::span<const std::int64_t> slots);
  // The actor's cursor has left out iterations.
  void on_jump(std::uint32_t actor);

  struct Envelope {
    std::int64_t comm, peer, tag, bytes;
  };
  // A request for a call, not yet posted. With peer kNullPeer it is complete: MPI_PROC_NULL costs nothing. kNothing, and the
  // error is kept, where communicator or peer do not exist.
  std::uint32_t make_request(std::uint32_t actor, Request::Kind, const Envelope&);
  // A wildcard becomes what it matched when it was recorded. VIEW: the communicator whose ranks count the peer; null: the world.
  void fix_wildcard(Request&, std::int64_t matched_peer, std::int64_t matched_tag,
                    const CommunicatorView* view);
  // Whether the calls of some rank that ask for any source, and may not choose, took messages of several senders.
  bool has_kept_order() const { return has_kept_order_; }

 private:
  // Whom a persistent request asked for, which a match may have changed; belongs to the slot, which outlives the single exchange.
  struct PersistentCall {
    bool is_wild = false;
    std::int32_t peer = 0, tag = 0;
  };
  struct Side {                                    // an actor's
    Slots<PersistentCall> persistent;              // where a slot holds a persistent request
    std::unique_ptr<WildcardLookahead> lookahead;  // made at the first receive that needs it
    std::int32_t kept_sender = kAnyPeer;  // of the first call that had to take the recorded message
  };

  std::uint32_t make_send(std::uint32_t actor, const EventFields&);
  std::uint32_t make_receive(std::uint32_t actor, const EventFields&, const Envelope&);
  void post_send(Actor&, std::uint32_t request);
  void post_receive(Actor&, std::uint32_t request);
  void keep_for_starts(std::uint32_t actor, std::int64_t slot, bool is_wild);
  void look_ahead(const Actor&, std::uint32_t actor, Request&);
  void note_sender(const Request&);

  Runtime& runtime_;
  Transport& transport_;
  Pool<Request>& requests_;
  const trace_io::Programs& programs_;
  const bool wildcards_choose_;
  bool has_kept_order_ = false;
  std::vector<Side> sides_;  // by actor
};

}  // namespace reprise::sim
