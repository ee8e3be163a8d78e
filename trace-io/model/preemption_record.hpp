// SPDX-License-Identifier: MIT
// Which ranks lost their cores while they computed, how often and for how long: what a replay plays back as noise.
//
// Time   that a preemption took is in no compute time of the trace.
// Absent where nobody looked; there, and empty, where nobody was preempted.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/base/quantity.hpp"

namespace reprise::trace_io {

// Counts are above 0.
struct RankPreemptions {
  Rank rank;
  std::uint64_t count = 0;
  Nanoseconds time{};
  Nanoseconds compute{};  // all that the rank computed: what they are spread over
  friend bool operator==(const RankPreemptions&, const RankPreemptions&) = default;
};
// Those that took from 2^(octave − 1) to 2^octave − 1 ns, of all ranks; octave 0: 0 ns.
struct PreemptionOctave {
  std::uint32_t octave = 0;
  std::uint64_t count = 0;
  Nanoseconds time{};
  friend bool operator==(const PreemptionOctave&, const PreemptionOctave&) = default;
};

struct PreemptionRecord {
  std::vector<RankPreemptions> ranks;  // ascending
  std::vector<PreemptionOctave>
      durations;  // ascending; counts and times add up to those of the ranks
  friend bool operator==(const PreemptionRecord&, const PreemptionRecord&) = default;
};
inline constexpr std::uint32_t kPreemptionOctaves = 48;  // the last one: 39 hours and more

}  // namespace reprise::trace_io
