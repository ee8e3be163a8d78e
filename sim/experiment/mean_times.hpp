// SPDX-License-Identifier: MIT
// A second replay in which each compute time is its mean. Where it predicts another run time, the answer depends on how compute times vary.
//
// Cost    one more replay with means, which are fast-forwarded where a loop is steady. Left out beyond kMostOperations calls.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "platforms/platform.hpp"
#include "sim/engine/replay.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

inline constexpr double kNoticed = 0.10;  // of the predicted time
inline constexpr std::uint64_t kMostOperations = 20'000'000;

struct MeanTimesOutcome {
  Seconds predicted;
  std::string
      sites;  // "MPI_Allreduce at cg.c:52 (61%), …": before which calls times vary most, by the time by which they do
};

// None where the two are within kNoticed, where the settings play means, and where a second replay is not to be had (networks that simulate once).
std::optional<MeanTimesOutcome> with_mean_times(const trace_io::Trace&, const platforms::Platform&,
                                                const ReplaySettings&, const Outcome&);
// "with each compute time at its mean the run takes 0.043 s, 19% less time: …"
std::string describe(const MeanTimesOutcome&, const Outcome&, const trace_io::Trace&, Deltas);

}  // namespace reprise::sim
