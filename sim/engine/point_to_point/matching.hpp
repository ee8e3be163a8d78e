// SPDX-License-Identifier: MIT
// Posted receives and unexpected messages of one rank, in the order of MPI 3.1 §3.5: the first that matches is taken.
//
// Cost  linear in the entries before the match while they are few, constant where they are many (long_match_queue.hpp), and where the match is the
//       first, however many there are; entries are 16 bytes, collectives have queues of their own, and five entries are inside the queue, so the usual few are one or two cache lines.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/engine/loop/request.hpp"
#include "sim/engine/point_to_point/long_match_queue.hpp"
#include "sim/engine/point_to_point/match_entry.hpp"
#include "sim/fetch.hpp"

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

// Two cache lines, of which an empty one, or one of one entry, needs the first.
class alignas(kCacheLine) MatchQueue {
 public:
  using Entry = MatchEntry;

  void append(const Entry&);
  // The first posted receive that a message matches, taken out; kNothing where there is none.
  std::uint32_t take_for_message(Context, std::int32_t from, std::int32_t tag);
  // The same, left where it is; kNothing also where it is far behind. For what may be wrong: fetching ahead.
  std::uint32_t glance_for_message(Context, std::int32_t from, std::int32_t tag) const;
  // Whether what is looked for is found by hashing; then prepare() fetches, with 2 steps, where a search begins, with 1 what stands there.
  bool is_hashed() const { return long_ != nullptr; }
  void prepare(const Entry& what, unsigned steps) const {
    if (long_ != nullptr) long_->prepare(what, steps);
  }
  // The first message that a pattern matches.
  std::uint32_t find_message(const Pattern&) const;
  // The same for who asks for every entry: more than a few are hashed.
  std::uint32_t find_hashed(const Pattern&);
  // The same, taken out.
  std::uint32_t take_message(const Pattern&);
  // All of them, in order of arrival.
  void find_messages(const Pattern&, std::vector<std::uint32_t>& found) const;
  // Nothing happens where there is no such entry.
  void remove(const Entry&);

 private:
  // A search that has looked at so many entries in vain costs as much as hashing does: from then on, until it is empty, the queue is hashed.
  static constexpr std::size_t kFew = 24;

  template <class Matches>
  std::uint32_t take_first(Matches matches);
  void take_out(std::size_t place);
  void hash();  // from now on, until it is empty

  std::unique_ptr<LongMatchQueue> long_;  // has all entries, where it is
  // Before it are ones that have been taken out: at most half of them all.
  std::uint32_t first_ = 0;
  boost::container::small_vector<Entry, 5> entries_;
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
