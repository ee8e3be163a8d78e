// SPDX-License-Identifier: MIT
// Times of recorded calls at which no message is received before it is sent: a controlled logical clock.
//
// Why      each rank's times follow from its own recording, in which single times are shuffled, prolonged by preemption and without the
//          recorder's work. Put side by side they drift apart, and a receive may end before its send begins.
// Rule     a rank's computing keeps its length. A call ends where it was recorded to end or later: when its shortest time has passed since it
//          began, and after what it needs (a nanosecond after the send of each message that it receives, and after the entries of the collectives
//          that it ends, see collective_entries.hpp). So a call that waits takes longer where it must, and what a rank is late is taken off the calls
//          that it waits in afterwards, down to the shortest one recorded, until it is where it was. Calls that only start or test take their time.
//          Hence computing and calls are as long in all as they were, but for what a rank is late at its end.
// Source   R. Rabenseifner, The controlled logical clock, PDP 1997, and D. Becker, R. Rabenseifner, F. Wolf, J. Linford, Scalable timestamp
//          synchronization for event traces of message-passing applications, Parallel Computing 35 (2009). There lateness is amortised over all
//          intervals after a jump and before it; here over waiting after it alone, as it is in a run.
// Unknown  a receive whose sender's calls end before it sends, and calls that wait for each other in a circle, wait for nobody.
// Cost     a call: a cursor's step, look-ups of its messages and collectives. Memory: a cursor for each rank, messages under way, and 24 bytes
//          for each call by which other ranks are ahead of the one that is asked for.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/export/timeline/call_messages.hpp"
#include "sim/export/timeline/collective_entries.hpp"
#include "sim/export/timeline/recorded_timeline.hpp"

namespace reprise::sim {

// What was out of order, and how far calls were moved for that; ns.
struct CausalMoves {
  std::uint64_t messages = 0, received_early = 0;  // of those: received before they were sent
  std::int64_t most_early = 0;                     // of a message
  // Calls that end a collective in which they wait for others; of those: ended before these had entered.
  std::uint64_t collective_calls = 0, left_early = 0;
  std::int64_t most_left_early = 0;
  std::int64_t most_moved = 0;
  std::uint64_t circles = 0;  // calls that waited for each other
};

// A sentence; nothing where nothing was moved.
std::string moved_note(const CausalMoves&);

class CausalClock final : CallMessages::Listener {
 public:
  struct Times {
    std::int64_t computed_since, begin, end;
  };

  // STARTS: of each rank, ns. All must outlive this.
  CausalClock(const trace_io::Programs&, DeltaPlayer& compute, DeltaPlayer& communicate,
              std::span<const std::int64_t> starts);
  // Of the rank's next call, in the order of a RecordedTimeline. REQUIRES: it has one.
  Times next(Rank);
  const CausalMoves& moves() const { return moves_; }  // of the calls so far

 private:
  struct OfRank {
    std::unique_ptr<RecordedTimeline> timeline;  // none: no calls
    bool is_over = false, is_in_call = false;
    std::uint64_t calls = 0;
    std::int64_t end = 0;  // of the call before
    std::int64_t begin = 0;
    MovedTime needed;                               // the latest that the call needs
    std::map<std::int32_t, std::uint32_t> senders;  // how many of its messages are awaited
    std::vector<CollectiveEntries::Wait> waits;     // of the call
    std::map<std::int64_t, CollectiveEntries::Wait> started;  // by request
    std::deque<Times> known;
    bool is_on_path = false;
  };

  std::uint64_t on_send() override;
  void on_receive(Rank from, Rank to) override;
  void on_match(Rank from, Rank to, std::int64_t tag, const MessageMatches::Send&,
                const MessageMatches::Receive&) override;

  OfRank& of(Rank rank) { return ranks_[static_cast<std::size_t>(rank.value)]; }
  void advance(Rank);
  void begin_call(Rank);
  void end_call(OfRank&);
  std::optional<Rank> missing(OfRank&);
  static void wait_no_more(OfRank&, Rank missing);

  CallMessages matches_;
  CollectiveEntries collectives_;
  std::vector<OfRank> ranks_;
  std::vector<Rank> path_;  // each waits for the one behind it
  TimedCall told_;
  std::int64_t sent_ = 0;  // where the call at hand begins now
  CausalMoves moves_;
};

}  // namespace reprise::sim
