// SPDX-License-Identifier: MIT
// What the executions of many paths are scaled by on each rank, so that together they give every rank its time.
//
// What    one ratio a rank, found by iterated proportional fitting: each path spreads its time over its ranks by executions times ratio, and the ratio of a
//         rank follows what it should have got. Ratios stay within kMostApart of 1; kRatioRounds rounds, fewer where one changes nothing any more.
// Cost    rounds × ranks of all paths: a division for each, and a multiplication where no path before has the same executions on the same ranks.
//         Executions in common are remembered within kMostExecutionBytes.
#pragma once

#include <span>
#include <vector>

#include "trace-io/merge/time_table.hpp"

namespace reprise::trace_io {

inline constexpr double kMostApart = 64;  // ratio to the mean of a rank scaled in common
inline constexpr int kRatioRounds = 40;
inline constexpr std::size_t kMostExecutionBytes = std::size_t{4} << 20;

struct CommonRatios {
  std::vector<double> ratios;  // by row of the table
  std::vector<double> got;     // by row: ns that the paths gave in the last round
};

// `goal`: by row, ns that the paths should give it. REQUIRES: each path was executed and its totals are known.
CommonRatios common_ratios(std::span<TimeTable::TimePath* const> paths,
                           std::span<const double> goal);

}  // namespace reprise::trace_io
