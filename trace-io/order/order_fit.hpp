// SPDX-License-Identifier: MIT
// The ranks' logs of a job become orders of its paths (model/duration_order.hpp), as many and as exact as a budget of bytes allows.
//
// Why         a path whose times have no order, or one that does not matter, is played as well from its distribution. An order is kept where it
//             changes the answer, and no more exactly than the answer needs.
// How         paths that are executed equally often belong together (the calls of one loop). Of each such set, the logged times and those that a
//             replay would play are compared: the sums over windows of 1, 4, 16 and 64 executions of the slowest rank's time, which is what an
//             allreduce after so many executions would wait for, and of each path by itself, as if ranks waited at every call. The budget
//             goes to whoever gains most for a byte; steps from coarse to fine are tried, until the two agree within the set's part of kEnough, where one could gain that.
// Price       what an order takes in the file. In a trace that is going to be pooled (merge/pool_choice.hpp) that is a distribution of the path's own as well:
//             uncounted, orders of 7.5 kB made a trace of NWChem 14 kB larger.
// Step        one for all paths of a set, in nanoseconds: equal steps give the least total error for a number of bytes (reverse water-filling).
// Cost        O(executions kept · steps), some 0.2 µs each. At most kMostKept executions are kept in all.
// Source      Cover and Thomas, Elements of Information Theory, 2nd ed. 2006, theorem 10.3.3 (parallel Gaussian sources).
#pragma once

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

inline constexpr std::size_t kMostKept = std::size_t{1} << 18U;  // logged durations of a trace
inline constexpr double kEnough = 0.001;  // of the run, shared equally by all sets

// Makes orders of the logs that take at most so many bytes. Forgets the logs.
void fit_orders(Trace&, std::size_t budget);

// Keeps at most kMostKept logged durations: forgets paths that took less than a ten-thousandth of the time, then thins blocks and ranks.
void limit_logs(Trace&);
// Logged durations of a class.
std::size_t kept_durations(const DeltaClass&);

}  // namespace reprise::trace_io
