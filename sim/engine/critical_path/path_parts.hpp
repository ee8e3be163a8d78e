// SPDX-License-Identifier: MIT
// What a stretch of a path is spent on, and the keys by which it is added up.
//
// Parts   compute            what the trace says between two calls, scaled; on a slowed node what it takes there
//         noise              interruptions of computing
//         core               waiting for a core, on a node with more ranks than cores
//         memory             computing at the pace of its node's memory, which all that compute there share
//         send_overhead, receive_overhead, copy
//         cold_caches        what calls take longer after computing
//         combine            a reduction's work on received data
//         latency, transfer  of messages: λL by class of links; n/(βB) of the narrowest link, as fast as it is then
//         sharing            what a message took beyond that: links shared or queued for
//         handshake          latencies of a rendezvous' request and clearance
//         acknowledgement    what a sender waits for beyond the message's tail
//         recorded           calls that are not modelled
//         one_sided          waiting for operations whose ends were summed up
//         storage            latency and transfer of accesses to files
//         other              what none of these explains: 0 for programs with one thread a rank
// Where   latency, transfer, sharing, handshake: the class of links (platforms::RouteTable::link_classes), or of the latter two
//         a link with a bandwidth of its own (CriticalPath::link_at); overheads, copies and acknowledgements: 0 between nodes, 1 inside
//         one; else 0.
// Site    the call that the time was spent before (compute, noise, core, memory) or in; of a message the call that sent it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "trace-io/model/trace.hpp"

namespace reprise::sim {

enum class PathPart : std::uint8_t {
  compute,
  noise,
  core,
  memory,
  send_overhead,
  receive_overhead,
  copy,
  cold_caches,
  combine,
  latency,
  transfer,
  sharing,
  handshake,
  acknowledgement,
  recorded,
  one_sided,
  storage,
  other,
};
inline constexpr std::array<std::string_view, 18> kPathPartNames{"compute",
                                                                 "noise",
                                                                 "waiting for a core",
                                                                 "memory bandwidth",
                                                                 "send overhead",
                                                                 "receive overhead",
                                                                 "copy",
                                                                 "cold caches",
                                                                 "combine",
                                                                 "latency",
                                                                 "transfer",
                                                                 "sharing or queueing",
                                                                 "handshake",
                                                                 "acknowledgement",
                                                                 "recorded",
                                                                 "one-sided",
                                                                 "storage",
                                                                 "other"};
inline std::string_view name_of(PathPart part) {
  return kPathPartNames[static_cast<std::size_t>(part)];
}
inline bool has_link_class(PathPart part) {
  return part == PathPart::latency || part == PathPart::transfer || part == PathPart::sharing ||
         part == PathPart::handshake;
}
// Spent between ranks, not on one.
inline bool is_travel(PathPart part) { return has_link_class(part); }
inline bool has_place(PathPart part) {
  return part == PathPart::send_overhead || part == PathPart::receive_overhead ||
         part == PathPart::copy || part == PathPart::cold_caches ||
         part == PathPart::acknowledgement;
}

struct PathKey {
  PathPart part = PathPart::other;
  std::uint16_t where = 0;
  trace_io::SiteId site = trace_io::kNoSite;

  std::uint64_t packed() const {
    return static_cast<std::uint64_t>(part) << 48 | static_cast<std::uint64_t>(where) << 32 | site;
  }
  static PathKey unpacked(std::uint64_t packed) {
    return {static_cast<PathPart>(packed >> 48), static_cast<std::uint16_t>(packed >> 32),
            static_cast<trace_io::SiteId>(packed)};
  }
};

// Who has kept a path's end from being earlier, in the same vectors: a rank's computing before a call, in seconds; and how often it computed
// there, which is no time.
struct PathDelay {
  std::int32_t rank = 0;  // below 2^29
  trace_io::SiteId site = trace_io::kNoSite;

  static constexpr std::uint64_t kMark = std::uint64_t{1} << 62, kTimes = std::uint64_t{1} << 61;
  static bool is_one(std::uint64_t packed) { return (packed >> 62) == 1; }
  static bool is_count(std::uint64_t packed) { return (packed & kTimes) != 0; }  // of those
  std::uint64_t packed() const {
    return kMark | static_cast<std::uint64_t>(static_cast<std::uint32_t>(rank)) << 32 | site;
  }
  std::uint64_t packed_count() const { return packed() | kTimes; }
  static PathDelay unpacked(std::uint64_t packed) {
    return {static_cast<std::int32_t>(packed >> 32 & 0x1fffffff),
            static_cast<trace_io::SiteId>(packed)};
  }
};

// Who is on the path when: a cell of a map of blocks of ranks over bins of time, in the same vectors as the parts.
struct PathCell {
  static constexpr std::uint32_t kRows = 64, kBins = 64;
  std::uint32_t row = 0, bin = 0;
  bool is_computing = false;

  static constexpr std::uint64_t kMark = std::uint64_t{1} << 63;
  static bool is_one(std::uint64_t packed) { return (packed & kMark) != 0; }
  std::uint64_t packed() const {
    return kMark | static_cast<std::uint64_t>(is_computing) << 32 |
           static_cast<std::uint64_t>(row) << 16 | bin;
  }
  static PathCell unpacked(std::uint64_t packed) {
    return {static_cast<std::uint32_t>(packed >> 16 & 0xffff),
            static_cast<std::uint32_t>(packed & 0xffff), (packed >> 32 & 1) != 0};
  }
};

}  // namespace reprise::sim
