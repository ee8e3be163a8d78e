// SPDX-License-Identifier: MIT
// Times of sampled messages: from the start of the send to the end of the matching receive, as statistics and as frequencies.
//
// Key     a row is of one sender, receiver, call site of the send and of the receive, and size class (Vetter, Dynamic Statistical Profiling of
//         Communication Activity, 2001: PHOTON's STAT and FREQ). Where there are too many, rows of the fewest messages become one without ranks.
// Scale   one logarithmic scale for all: 16 buckets an octave, each of a sixteenth to a thirty-second of what it holds; exact below 16 ns.
// Costs   what a message of one size costs on one distance, from those samples that tell it (MessageCost).
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "trace-io/base/quantity.hpp"

namespace reprise::trace_io {

struct LatencyBucket {
  std::uint32_t code = 0;  // bucket_of()
  std::uint64_t count = 0;
  friend bool operator==(const LatencyBucket&, const LatencyBucket&) = default;
};

inline constexpr std::uint32_t kBucketsPerOctave = 16;
inline constexpr std::uint32_t kLatencyBuckets = 60 * kBucketsPerOctave;  // up to 2⁶³ ns

constexpr std::uint32_t bucket_of(std::uint64_t ns) {
  if (ns < kBucketsPerOctave) return static_cast<std::uint32_t>(ns);
  const auto shift = static_cast<std::uint32_t>(std::bit_width(ns)) - 5;
  return (shift + 1) * kBucketsPerOctave + static_cast<std::uint32_t>(ns >> shift) -
         kBucketsPerOctave;
}
// The least time of a bucket; that of the next one ends it.
constexpr std::uint64_t bucket_start(std::uint32_t code) {
  if (code < kBucketsPerOctave) return code;
  return std::uint64_t{kBucketsPerOctave + code % kBucketsPerOctave}
         << (code / kBucketsPerOctave - 1);
}

struct LatencyStat {
  std::uint64_t count = 0;
  Nanoseconds sum{}, min{}, max{};
  std::vector<LatencyBucket> buckets;  // ascending, none empty

  void add(Nanoseconds);  // below 0 counts as 0
  void unite(const LatencyStat&);
  Nanoseconds mean() const;  // 0 of none
  // Interpolated within its bucket: exact to a sixteenth. 0 of none.
  Nanoseconds quantile(double share) const;
  friend bool operator==(const LatencyStat&, const LatencyStat&) = default;
};

enum class MessageDistance : std::uint8_t { to_itself, same_node, other_node };
inline constexpr std::uint8_t kMessageDistances = 3;
constexpr const char* name_of(MessageDistance distance) {
  return distance == MessageDistance::to_itself   ? "to itself"
         : distance == MessageDistance::same_node ? "same node"
                                                  : "other node";
}

// 0: no bytes; k: 2^(k−1) to 2^k − 1 bytes.
constexpr std::uint32_t size_class_of(std::uint64_t bytes) {
  return static_cast<std::uint32_t>(std::bit_width(bytes));
}

struct MessageRow {
  static constexpr std::int32_t kAnyRank = -1;
  static constexpr std::uint32_t kAnySite = ~std::uint32_t{0};
  std::int32_t sender = kAnyRank, receiver = kAnyRank;  // both or none of them kAnyRank
  std::uint32_t send_site = kAnySite, receive_site = kAnySite;
  MessageDistance distance{};
  std::uint32_t size_class = 0;
  std::uint64_t bytes = 0;  // of all of them
  LatencyStat latency;
  friend bool operator==(const MessageRow&, const MessageRow&) = default;
};

struct MessageCost {
  MessageDistance distance{};
  std::uint64_t bytes = 0;  // of each message
  LatencyStat
      one_way;  // of messages whose receiver was waiting, for them alone, before they could be there
  LatencyStat
      exchange;  // of messages whose receiver was in MPI since before, in a send of its own, and then awaited it
  LatencyStat send;     // time in MPI_Send, where the receiver came later than it ended
  LatencyStat receive;  // time in the receive, where it began when the send was over for long
  // MPI_Sends that were over before their receiver came, and those that waited for it (recorder/finish/message_join.hpp).
  std::uint64_t sent_ahead = 0, held_back = 0;
  friend bool operator==(const MessageCost&, const MessageCost&) = default;
};

enum class MessageMode : std::uint8_t { random, counter, timer };
inline constexpr std::uint8_t kMessageModes = 3;
constexpr const char* name_of(MessageMode mode) {
  return mode == MessageMode::random    ? "random"
         : mode == MessageMode::counter ? "counter"
                                        : "timer";
}

inline constexpr std::uint64_t kWholeShare = std::uint64_t{1} << 32;

struct MessageTimes {
  MessageMode mode{};
  // Of 2³² by the hash: what was asked for, and what was kept when memory was short.
  std::uint64_t asked = kWholeShare, kept = kWholeShare;
  std::uint64_t period = 0, variance = 0;  // counter: messages; timer: nanoseconds
  std::uint64_t least_bytes = 0,
                most_bytes = 0;    // of the messages that could be chosen; most 0: no bound
  std::uint64_t messages = 0;      // that could be chosen
  std::uint64_t chosen = 0;        // by their senders, as far as they are among those kept
  std::uint64_t joined = 0;        // that both sides told of
  Nanoseconds clock_error{};       // the largest doubt about the clocks of two nodes; 0 on one node
  std::vector<MessageRow> rows;    // ordered by what they are
  std::vector<MessageCost> costs;  // ordered by distance and size
  friend bool operator==(const MessageTimes&, const MessageTimes&) = default;
};

}  // namespace reprise::trace_io
