// SPDX-License-Identifier: MIT
// Posted receives and unexpected messages of one rank, in the order of MPI 3.1 §3.5: the first that matches is taken.
//
// Cost  linear in the entries before the match, and where that is the first one constant, however many there are; entries are 16 bytes, collectives have queues of their own, and four entries are
//       inside the queue, so the usual few are one or two cache lines.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <vector>

#include "sim/engine/loop/request.hpp"

namespace reprise::sim {

struct alignas(64) Message {  // one cache line
  Context context;
  std::int32_t from = 0, to = 0, tag = 0;
  Bytes bytes;
  std::uint32_t send = kNothing,
                receive = kNothing;           // requests; no send where it completed already
  trace_io::SiteId site = trace_io::kNoSite;  // of the send
  bool is_rendezvous : 1 = false;
  bool has_head : 1 = false;     // it, or its request to send, has reached the receiver
  bool has_tail : 1 = false;     // all of its payload has
  bool is_claimed : 1 = false;   // taken by Mprobe
  bool is_expected : 1 = false;  // its rank was waiting in a receive when it came
  bool is_answered : 1 = false;  // of a rendezvous: the clearance is on its way
  double issued = 0;             // when the send was called
  double arrived = 0;            // when its head, or its request to send, could meet a receive
  double matched = 0;            // when both sides had met
};

// What a receive or a probe looks for.
struct Pattern {
  Context context;
  std::int32_t peer = kAnyPeer, tag = kAnyTagValue;
  bool is_wild() const { return peer == kAnyPeer || tag == kAnyTagValue; }
};

class MatchQueue {
 public:
  struct Entry {
    Context context;
    std::int32_t peer = 0, tag = 0;  // of a posted receive possibly wild, of a message never
    std::uint32_t id = 0;
  };

  void append(const Entry& entry) { entries_.push_back(entry); }
  // The first posted receive that a message matches, taken out; kNothing where there is none.
  std::uint32_t take_for_message(Context, std::int32_t from, std::int32_t tag);
  // The same, left where it is.
  std::uint32_t find_for_message(Context, std::int32_t from, std::int32_t tag) const;
  // The first message that a pattern matches.
  std::uint32_t find_message(const Pattern&) const;
  // All of them, in order of arrival.
  void find_messages(const Pattern&, std::vector<std::uint32_t>& found) const;
  void remove(std::uint32_t id);

 private:
  auto begin() const { return entries_.cbegin() + first_; }
  void take_out(std::size_t place);

  boost::container::small_vector<Entry, 4> entries_;
  std::uint32_t first_ =
      0;  // before it are ones that have been taken out: at most half of them all
};

struct Mailbox {
  MatchQueue posted[2], unexpected[2];  // [0] point-to-point, [1] collectives
  struct Watch {
    Pattern pattern;
    std::uint32_t actor;
  };
  std::vector<Watch> probes;  // blocked in a probe
};

}  // namespace reprise::sim
