// SPDX-License-Identifier: MIT
// The loop that a run spends its time in, for whoever shows iterations of a trace without recorded ones.
//
// Which   of the main thread, the outermost loop in which most time was spent; inwards, where that has fewer than kEnoughIterations
//         a rank and a loop within it takes nearly all of the time: as the recorder chooses (compress/loop_iterations.hpp).
// Marked  where the program has marked iterations and they were recorded (Trace::marked_iterations), the loop of these instead: of those with about as
//         many iterations the one with most of the marked calls at its sites, of loops within each other the one with as many iterations, or nearest to
//         it. Loops may be folded otherwise than they were written: steps with a call in every fifth are a loop within a loop. Ranks without marks have none.
//         Where no loop has most of the calls and about as many iterations, the choice is by time.
// Ranks   that execute other loops are given theirs where it has as many iterations: the same code, folded otherwise. `others` have none.
// Cost    O(nodes of the trace), and its values' terms.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// A loop with fewer iterations gives way to one within it that takes so much of its time.
inline constexpr std::uint64_t kEnoughIterations = 64;
inline constexpr double kNearlyAllTime = 0.9;

// Of a rank, from the outermost loop on: what a loop with few iterations takes and the one within it, in nanoseconds; 0 where there is no such
// choice. Summed over ranks they are the vote by which all ranks go equally far inwards.
struct LevelTimes {
  double around = 0, within = 0;
  bool is_within() const { return within >= kNearlyAllTime * around; }
};
using IterationLevels = std::array<LevelTimes, 4>;

struct MainLoops {
  std::vector<const Loop*> loops;  // no two of a rank; empty: the trace has no loop
  std::vector<Rank> ranks;         // that execute them, ascending
  std::vector<Rank> others;
  std::string name;  // "the loop of MPI_Isend at solve.c:12", "the marked loop of …"; of the first
  bool are_outermost = true;  // none of them is executed within another loop
};
MainLoops main_loops(const Trace&);

// What the loop is called by: its first call.
std::string loop_text(const Trace&, const Loop&);

}  // namespace reprise::trace_io
