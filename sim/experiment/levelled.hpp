// SPDX-License-Identifier: MIT
// A program in which all ranks take the mean of a part of its compute times.
//
// Paths       each path into a call takes the mean of all executions of all its ranks. That is all where the ranks of a stretch take the same paths
//             equally often.
// Stretches   of the program between two calls that all ranks make, and in each loop that all ranks execute. What ranks compute in one on different
//             paths, or unequally often on the same, is levelled as a whole: rank r's is scaled by the mean of all ranks' sums there ÷ its own sum.
//             So a program whose rank 0 is slow in the first loop and rank 3 in the second is levelled loop by loop.
// Borders     a loop's last stretch is one with its first; the computing that leads into a loop, by a path from a call outside, belongs to the
//             stretch before it; a call or loop of some ranks only ends none.
// Idle        a rank that computes less than a ten-thousandth of the mean in a stretch stays as it is: it has no computing that could take the mean,
//             and waits as long instead.
// Cost        made: O(ranks) for each path, and as trace_io::ComputingOfRanks; in memory 16 bytes for each rank of a path that not all take alike.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::sim {

class Levelled {
 public:
  // The trace must outlive this. REQUIRES: it has a thread.
  explicit Levelled(const trace_io::Trace&);

  // Calls are counted in program order, on the main thread. The mean is that of `ranks`, ascending: those that have times in any of these calls.
  trace_io::Trace in(const std::set<std::size_t>& calls, const std::vector<Rank>& ranks) const;

  // Loops of different ranks in one stretch, as of the programs of an MPMD job.
  struct SideBySide {
    std::string
        text;  // "the loop of MPI_Allreduce at a.c:6 and the loop of MPI_Allreduce at b.c:8"
    std::vector<std::pair<std::size_t, std::size_t>> calls;  // of each loop: from, to (without)
  };
  std::vector<SideBySide> side_by_side() const;

 private:
  struct Part {  // a path into a call
    std::size_t call = 0, path = 0;
    std::vector<std::pair<Rank, double>> times{};  // s, levelled
  };
  struct LoopCalls {
    std::string text;
    trace_io::RankList ranks;
    std::size_t begin = 0, end = 0;
  };
  struct Stretch {
    trace_io::RankList ranks;
    std::vector<Part> parts{};       // that not all its ranks take equally long
    std::vector<LoopCalls> loops{};  // of some of the ranks
  };
  class Finder;

  const trace_io::Trace& trace_;
  std::vector<Stretch> stretches_;
};

}  // namespace reprise::sim
