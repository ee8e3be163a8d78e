// SPDX-License-Identifier: MIT
// How much of a trace's computing a rule for another processor has counts for, and what the processors do before and after.
#pragma once

#include <cstdint>
#include <string>

#include "sim/engine/compute/counter_scaling.hpp"

namespace reprise::sim {

struct MatchedCounts {
  double counted_s = 0, all_s = 0;     // compute time of the rule's ranks, with counts and in all
  std::size_t ways = 0, all_ways = 0;  // between two calls
  ProcessorCounts before;              // of the ways with counts
  std::string largest_without;  // the way without counts that takes most; empty where there is none
  double largest_without_s = 0;
};

// Compute time that was recorded for a class, in seconds over the rule's ranks, as if all of the class's took as long. Nodes are not looked at.
double recorded_seconds(const trace_io::DeltaClass&, const ComputeRule&);
// REQUIRES: is_of_counts(rule), and the trace has what it needs. Ranks of which only some are the rule's count as many as they are.
MatchedCounts matched_counts(const trace_io::Trace&, const ComputeRule&);
// In a sentence; for a rule of factors alone as well, whatever the trace has.
std::string describe_processor(const trace_io::Trace&, const ComputeRule&);

}  // namespace reprise::sim
