// SPDX-License-Identifier: MIT
// The last step of merging: what only a further merge would need is given up, and the ranks' exact totals become scale factors.
//
// Promise   the sums of every path into a call stay exact, and a replay of the finalized trace gives each rank its own total compute time
//           to about kTolerance.
// How       1. paths whose ranks differ by a relevant share of their time (kRelevant), and by more than chance explains, get scale factors of
//              their own, the most important first, at most kOwnScaleFactors different ones; a path that fits scale factors already there shares them.
//           2. Where the order of compute times is asked for, half of its budget goes to scale factors of the paths that differ most of the rest, until
//              what is left is below kEnough (order/order_fit.hpp). An outlier is chance, but it happened on one rank: an order without it is wrong.
//           3. Where ranks' totals are still off, the paths that make up the bulk of the rest share one more set of scale factors, found by
//              iterative proportional fitting: rows are ranks with their remaining totals, columns paths with their sums.
//           4. Other paths have no scale factors: all ranks take the mean.
//           5. The same for times inside calls that a replay computes, whether chance explains the differences or not: nothing that is predicted depends
//              on them, but they are what each rank spent. The paths that differ most first, until every rank has all but kLeftInside of its times at
//              the calls that took them, for at most kBytesInside, kBytesOfARankInside a rank and one a stored call; if that is not enough, 3.
// Bytes     scale factors take a few bytes where ranks fall into groups or along a line, and a byte a rank otherwise (scale_factor_fit.hpp).
// Cost      O(paths · ranks · kRounds).
// Source    Deming and Stephan: On a least squares adjustment of a sampled frequency table when the expected marginal totals are
//           known, Annals of Mathematical Statistics 11(4), 1940.
#pragma once

#include "trace-io/model/time_pools.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

inline constexpr double kTolerance = 0.005;  // of a rank's total compute time
inline constexpr double kRelevant = 0.01;    // likewise: what the ranks differ by on one path
inline constexpr std::size_t kOwnScaleFactors = 4;
// Of a rank's total time inside calls: what scale factors may be off, and what may be at another call, or another rank's, than it was.
inline constexpr double kToleranceInside = 0.0025, kLeftInside = 0.005;
inline constexpr std::size_t kBytesInside = 64, kBytesOfARankInside = 4;

// Does nothing to a trace that is finalized.
void finalize(Trace&);

// The notice of first touches goes where they are of no matter; finalize() does it, a recording of one rank needs only this. O(paths).
void forget_few_first_touches(Trace&);

// For whoever writes the finished trace: rounds durations as model/distribution_rounding.hpp says.
void round_durations(Trace&, PoolMembers = PoolMembers::spread);

}  // namespace reprise::trace_io
