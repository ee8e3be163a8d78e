// SPDX-License-Identifier: MIT
// Two programs of disjoint ranks become one.
//
// Order   every rank meets its nodes in the order it had: pairs ascend on both sides, and what stands between two pairs is kept
//         whole, a's before b's. The exits of loops stay right, since they count only the nodes that the rank takes part in.
// Cost    see alignment.hpp; the union of a pair costs its fields (field_join.hpp) and delta classes (delta_classes.hpp).
#pragma once

#include <span>
#include <vector>

#include "trace-io/merge/rank_unions.hpp"
#include "trace-io/model/communicators.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// What merging nodes needs to know of the united trace. All of it outlives the merge.
struct MergeSetting {
  std::vector<std::span<const FieldSpec>> fields_of_site;
  std::vector<bool>
      is_simulated_site;  // a replay computes the time inside the call: who spent how much of it is not kept
  const CommunicatorTable& communicators;
  Nanoseconds elapsed;
  RankUnions& unions;
};

// REQUIRES: the sites of both are numbered alike.
std::vector<Node> merged_programs(std::vector<Node> a, std::vector<Node> b, const MergeSetting&);

}  // namespace reprise::trace_io
