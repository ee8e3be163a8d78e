// SPDX-License-Identifier: MIT
// Times of different processes made comparable: each process's ticks as CLOCK_MONOTONIC of its node, each node's clock as that of the first node.
//
// Ticks   two moments, at MPI_Init and at MPI_Finalize, each read in ticks and on CLOCK_MONOTONIC, and a straight line through them.
// Nodes   offset and drift from exchanges at the same two times: of some round trips between the first node and another the shortest one, whose
//         middle is taken for the moment at which the other answered (Cristian, Probabilistic Clock Synchronization, 1989). It is wrong
//         by half of the round trip at most: the doubt. A straight line through both offsets.
#pragma once

#include <cstdint>
#include <span>

#include "recorder/capture/clock.hpp"

namespace reprise::recorder {

// One round trip: sent and received on the first node, answered on the other one, all in nanoseconds of their own clocks.
struct RoundTrip {
  std::int64_t sent = 0, answered = 0, received = 0;
};

// What to add to a node's clock at a time of it.
struct ClockOffset {
  std::int64_t at = 0, offset = 0, doubt = 0;  // ns
};

// The shortest one's. REQUIRES: at least one.
ClockOffset offset_of(std::span<const RoundTrip>);

class NodeClock {
 public:
  NodeClock() = default;  // the first node's
  NodeClock(const ClockOffset& first, const ClockOffset& last) : first_(first), last_(last) {}
  std::int64_t common(std::int64_t local) const;
  std::int64_t doubt() const;

 private:
  ClockOffset first_, last_;
};

// Ticks of one process as nanoseconds that all processes have in common.
class CommonClock {
 public:
  CommonClock(const RecordingClock::Moment& first, const RecordingClock::Moment& last,
              const NodeClock& node)
      : first_(first), last_(last), node_(node) {}
  std::int64_t at(std::uint64_t ticks) const;

 private:
  RecordingClock::Moment first_, last_;
  NodeClock node_;
};

}  // namespace reprise::recorder
