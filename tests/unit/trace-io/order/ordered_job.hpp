// SPDX-License-Identifier: MIT
// Traces of jobs whose compute times are prescribed: one MPI_Barrier in a loop, or two, recorded with their order and merged.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io::testing {

using Duration = std::function<std::int64_t(int rank, int step)>;  // ns, before the step's call

struct OrderedJob {
  int ranks = 4, steps = 240;
  std::uint64_t budget = 8192;  // bytes; 0: no order
  Duration duration;
  Duration second{};  // before a second call of each step; none: there is no such call
};

Trace part_of(const OrderedJob&, int rank);  // not merged
Trace merged(const OrderedJob&);
// The class of the path from one call of the loop to the next.
const DeltaClass& looped(const Trace&);
// Σ over steps of the slowest rank's time, ns: as prescribed, and as a replay of the path plays it. The first step is another path.
double slowest(const OrderedJob&);
double slowest_played(const OrderedJob&, const Trace&, std::uint64_t seed = 1);

// The trace with the order of that class changed; what check_structure() finds first, empty where it finds nothing.
Trace with_order(const Trace&, const std::function<void(DurationOrder&)>& change);
std::string refusal(const Trace&);

}  // namespace reprise::trace_io::testing
