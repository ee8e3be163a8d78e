// SPDX-License-Identifier: MIT
// What each rank of a trace computed on a path into a call: its executions times its mean.
//
// Executions  of a call with one path, or whose ranks all execute it equally often, they follow from the loops (check/executions.hpp). Only where ranks
//             execute a call of several paths unequally often, as workers of a master do, are the paths of every rank counted, once.
// Error       where ranks have no scale factors each has the mean of all executions (merge/finalize.hpp).
// Cost        made: O(Σ over nodes of the ranks that list them); where paths are counted, a timing tree for each rank in time, and in memory 8 bytes for
//             each rank and path.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

class ComputingOfRanks {
 public:
  // Of a thread's program. The trace must outlive this and stay as it is. REQUIRES: check_structure() has found nothing.
  ComputingOfRanks(const Trace&, std::size_t thread);

  // Seconds of each rank of the class, in order. REQUIRES: leaf, path and class are of that program.
  std::vector<double> of(const Leaf&, const PathDeltas&, const DeltaClass&);
  // s²: the variance of each of these sums if executions of a rank scatter independently, by the ranks' common variance about their own means. A
  // rank's only execution says nothing of scatter: the square of its time. A mixture of short and long executions counts as scatter.
  std::vector<double> variances(const Leaf&, const PathDeltas&, const DeltaClass&);

 private:
  std::vector<std::uint64_t> executions(const Leaf&, const PathDeltas&, const std::vector<Rank>&,
                                        std::uint64_t all);
  void count_all();

  struct Executed {
    std::vector<Rank> ranks;
    std::vector<std::uint64_t> executions;
  };

  const Trace& trace_;
  std::size_t thread_;
  std::unordered_map<const Leaf*, Executed> executed_;  // looked up only
  // By rank. Looked up only.
  std::unordered_map<const PathDeltas*, std::vector<std::uint64_t>> counted_;
  bool is_counted_ = false;
};

}  // namespace reprise::trace_io
