// SPDX-License-Identifier: MIT
// The messages of a timeline of which only the calls are known: sends and receives, with their requests, matched as MPI matches them.
//
// Cost  a look-up a call that sends, receives or completes a receive; memory: what is under way.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sim/export/timeline/call_words.hpp"
#include "sim/export/timeline/prv_messages.hpp"
#include "sim/export/timeline/timed_call.hpp"
#include "trace-io/model/communicators.hpp"

namespace reprise::sim {

class CallMessages {
 public:
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual std::uint64_t on_send() = 0;  // what is to be Send::place of the message now sent
    // A receive is complete. Comes before on_match() of the same receive.
    virtual void on_receive(Rank /*from*/, Rank /*to*/) {}
    virtual void on_match(Rank from, Rank to, std::int64_t tag, const MessageMatches::Send&,
                          const MessageMatches::Receive&) = 0;
  };

  explicit CallMessages(const trace_io::Trace&);
  // A rank's calls in their order.
  void call(Rank, const TimedCall&, Listener&);

 private:
  struct Open {  // of a request of a rank
    bool is_receive = false;
    std::int64_t posted = 0, comm = 0, peer = 0, tag = 0;
  };
  struct Envelope {
    std::int64_t comm, tag;
  };

  std::int32_t world(Rank, std::int64_t comm, std::int64_t peer) const;
  void complete(Rank, const TimedCall&, Listener&);
  void send(Rank from, std::int32_t to, Envelope, const TimedCall&, std::int64_t bytes, Listener&);
  void receive(std::int32_t from, Rank to, Envelope, MessageMatches::Receive, Listener&);

  FileCommunicators numbers_;
  trace_io::CommunicatorTable communicators_;
  MessageMatches matches_;
  std::vector<std::map<std::int64_t, Open>> open_;  // by rank, then request
};

// A scalar field of a call; kNone where it has none of that name.
std::int64_t scalar_of(const TimedCall&, trace_io::Field);

}  // namespace reprise::sim
