// SPDX-License-Identifier: MIT
// Which stored calls of a finished trace share their times (model/time_pools.hpp), so that a code of many call sites has a small trace.
//
// How       the distributions of compute times, and those inside calls, apart by how far they scatter (octaves of standard deviation / mean, so that
//           outliers stay outliers), each ordered by mean, start as groups of one. The neighbours whose union misplaces the least time for each bit that it
//           saves become one group, again and again. A group misplaces what its lighter calls get too much and its heavier ones too little, and takes a
//           distribution, and a reference of each call, which is the shorter the more calls refer to it. So light calls share pools of an octave or more, and
//           calls that take much time keep what they had.
// Until     no more than kTimesKept distributions are left, or the time misplaced would exceed the share allowed, of all compute times and of all times
//           inside calls apart.
// Promise   Σ over calls |sum in the trace − sum recorded| ≤ share · sum of all (but for rounding to nanoseconds), and the sum of all is exact. A trace of
//           at most kFewestToPool · kTimesKept distributions stays as it is.
// Not       distributions with an order, which are those of calls that matter, and those that ran out of memory for bins.
// Cost      O(n log n) for n distributions.
#pragma once

#include <cstddef>

#include "trace-io/model/time_pools.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Does nothing with a share of 0, or to a trace that has pools. REQUIRES: finalized (finalize.hpp); whoever rounds durations does so afterwards.
void pool_times(Trace&, double share = kPooledShare, std::size_t kept = kTimesKept,
                PoolMembers = PoolMembers::spread);

}  // namespace reprise::trace_io
