// SPDX-License-Identifier: MIT
// Walks one rank's events and checks what the rank alone tells: requests, communicators, peers. Tells a MessageTally what
// concerns other ranks as well.
//
// Cost  O(events); memory: the rank's live requests and communicators.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "trace-io/check/check.hpp"
#include "trace-io/check/message_tally.hpp"
#include "trace-io/model/communicators.hpp"
#include "trace-io/walk/cursor.hpp"

namespace reprise::trace_io {

class RankWalk {
 public:
  // All must outlive the walk.
  RankWalk(const Trace&, const CommunicatorTable&, MessageTally&, std::vector<Finding>&, Rank);
  // Once per thread of the rank. Requests are shared by threads, so with more than one their order is not known and they
  // are not checked.
  void walk(const Programs&, std::size_t thread, bool is_only_thread);
  // After the last thread. Requests under way are a finding in a rank that called MPI_Finalize.
  void finish();

 private:
  struct Request {
    bool is_persistent = false, is_active = true, is_cancelled = false;
    bool is_receive = false;
    std::int64_t comm = 0, peer = kProcNull;
    SiteId site = kNoSite;
  };
  struct CallFields;

  void check_call(const Cursor&);
  void report(SiteId, Severity, const std::string& problem);
  void use_communicator(SiteId, std::int64_t index);
  void check_object(const Cursor&, const CallFields&);
  void check_peers(const Cursor&, const CallFields&);
  void start_request(const CallFields&, Request);
  void activate(SiteId, std::int64_t slot);
  void complete(SiteId, std::int64_t slot, std::int64_t matched_world_peer);
  void complete_listed(const Cursor&, const CallFields&);
  void count_send(std::int64_t comm, std::int64_t peer);
  void count_receive(std::int64_t comm, std::int64_t peer, std::int64_t matched,
                     PeerFrame matched_frame);
  void enter_collective(const CallFields&);

  const Trace& trace_;
  const CommunicatorTable& communicators_;
  MessageTally& tally_;
  std::vector<Finding>& findings_;
  Rank rank_;
  bool checks_order_ = true, has_finalized_ = false;
  bool made_unseen_ = false;  // the trace has only the time of some call that created one
  std::map<std::int64_t, Request> requests_;              // by slot
  std::set<std::int64_t> alive_, freed_;                  // communicator indices ≥ 2
  std::map<std::int64_t, std::int64_t> windows_, files_;  // slot → communicator
  std::set<std::pair<SiteId, std::string>> reported_;     // each finding of a call site once
};

}  // namespace reprise::trace_io
