// SPDX-License-Identifier: MIT
// Whether other processes disturbed a recording so much that its run time is not the program's.
#pragma once

#include <optional>
#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise {

struct Disturbance {
  Rank rank;          // that was preempted for longest
  Seconds preempted;  // of it
  double share = 0;   // of the recorded run time
};

// None where no rank was preempted for kDisturbed of the recorded run time, or that is not known.
inline constexpr double kDisturbed = 0.05;
std::optional<Disturbance> disturbance_of(const trace_io::Trace&);

// "rank 3 was preempted for 1.912 s (30% of the recorded run time)"
std::string describe(const Disturbance&);
// What to do about it, to follow a sentence: "; record again on idle cores, or with --clock cpu, …"; nothing of a recording that has that clock.
std::string remedy_of_disturbance(const trace_io::Header&);

}  // namespace reprise
