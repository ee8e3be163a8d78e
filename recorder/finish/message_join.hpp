// SPDX-License-Identifier: MIT
// Senders' and receivers' samples joined: latency, and what the sample tells of a message's cost.
//
// Latency  from the start of the send to the end of the receive, or of the call that completed it: it holds all that a late receiver
//          or several messages awaited at once add. What a message costs is told by those samples alone where nothing of that can be in it:
// one way  the receiver's call waited for this message alone and had begun when the send began, so all from there on is the message's way:
//          o_s + L + n/B + o_r in closed form, below the eager limit and above. A receiver that comes later by at most a twentieth of it changes
//          that by no more; nor does one that comes before a small MPI_Send is over that did not wait for it (is over within three quarters of
//          the time): until then it has hardly let go of its message.
// exchange the receiver was in MPI, in a send of its own, when the send began, and awaits this message alone in its next call: all of the time is the
//          message's and what the other one takes from it.
// send     an MPI_Send that was over before the receiver came did not wait for it: its time is o_s.
// receive  one that began kLate or more after the send was over found its message there: its time is o_r.
// eager    an MPI_Send that began kLate and its bytes' time at 1 GB/s before the receiver either was over before that (sent ahead) or was not
//          (held back): the eager limit lies between. Held back is also one that was over no sooner than an awaited message's receive, and one of more
//          than 4 KiB that took three quarters of an exchange.
#pragma once

#include <cstdint>
#include <vector>

#include "recorder/finish/joined_messages.hpp"

namespace reprise::recorder {

// One side of a message, in nanoseconds that all have in common.
struct TimedSide {
  std::uint64_t stream = 0, number = 0;
  std::int64_t begin = 0, end = 0, stay = 0;  // stay: since when the thread was in MPI
  std::uint64_t bytes = 0, site = 0;          // site: its hash
  std::int32_t peer = 0;
  bool tells_cost = false;
};

struct MessageJoin {
  static constexpr std::int64_t kLate = 20'000;   // ns
  static constexpr std::int64_t kSmallPart = 20;  // of a latency
  JoinedMessages messages;
  std::uint64_t without_receiver = 0, without_sender = 0;  // that one side alone has chosen
  std::uint64_t different = 0;  // their two sides tell different sizes: they are not one message
};

// One message of which both sides are known.
struct JoinedPair {
  TimedSide send, receive;
};

// `sends` of `rank`; `receives` by whoever received from it. `distances`: by rank. Cost: O(n log n).
// PAIRS, if given, gets all of them.
MessageJoin joined(std::vector<TimedSide> sends, std::vector<TimedSide> receives, std::int32_t rank,
                   const std::vector<trace_io::MessageDistance>& distances,
                   std::vector<JoinedPair>* pairs = nullptr);

}  // namespace reprise::recorder
