// SPDX-License-Identifier: MIT
// Two calls of disjoint ranks at one place of their programs become one.
//
// Cost    fields as field_join.hpp, durations as delta_classes.hpp. Where both sides are of the usual kind (one entry a field, the same
//         predecessors, one class each) nothing is allocated but what grows: ranks' totals.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace-io/merge/rank_unions.hpp"
#include "trace-io/model/communicators.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

class LeafUnion {
 public:
  // `united`: a trace with the header and the tables of both; the communicators are its. All but the trace must outlive this.
  LeafUnion(const Trace& united, const CommunicatorTable&, RankUnions&);

  // b into a; uses up b. REQUIRES: they have one site, by the united trace's numbers.
  void unite(Leaf& a, Leaf& b) const;
  // The ranks, passes, exits and clusters of two loops, not their bodies.
  void unite_heads(Loop& a, Loop& b) const;
  RankList united(const RankList& a, const RankList& b) const { return unions_.united(a, b); }

 private:
  void unite_paths(std::vector<PathDeltas>& a, std::vector<PathDeltas>& b) const;

  std::vector<std::span<const FieldSpec>> fields_of_site_;
  // What is kept of the times inside a call: of MPI_Init and MPI_Finalize the sums over all ranks; where a replay computes them, one distribution and
  // each rank's total; where it may play them, classes of ranks.
  enum class Times : std::uint8_t { sums, totals, classes };
  std::vector<Times> times_of_site_;
  const CommunicatorTable& communicators_;
  Nanoseconds elapsed_;
  RankUnions& unions_;
};

}  // namespace reprise::trace_io
