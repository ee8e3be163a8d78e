// SPDX-License-Identifier: MIT
// A program whose recorded compute times are those of another machine, rank by rank.
//
// Why     what ranks differ by on a machine is what they were recorded with times what rules (--compute, scenarios) and nodes' relative speeds make of
//         it. Who asks which rank computes longest, or what evening that out would save, needs the product.
// Result  of each path into a call, ranks whose times are scaled alike are a class of their own: one distribution without bins, with their executions
//         and their mean. For replays with --deltas mean, without the rules and speeds that are in it.
// Cost    O(ranks) for each class of the trace, in time; in memory a class for each factor.
#pragma once

#include <optional>

#include "platforms/platform.hpp"
#include "sim/engine/replay.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

struct ScaledTimes {
  trace_io::Trace trace;
  platforms::Platform platform;  // all nodes as fast as the recording's
  ReplaySettings settings;       // without rules
};

// Nothing where neither a rule nor a node's speed changes any compute time. Errors: as ComputeScaling's.
std::optional<ScaledTimes> scaled_times(const trace_io::Trace&, const platforms::Platform&,
                                        const ReplaySettings&);

}  // namespace reprise::sim
