// SPDX-License-Identifier: MIT
// Whether the iterations of a trace fit the loops that they are of.
//
// Checked  ranks that execute the loop, ascending; an iteration for each pass of the rank, those that were left in the middle as well; clusters that
//          exist, each with a profile and as many iterations as the sequence gives it; calls that add up to those of the loop. Of marked iterations:
//          no more calls than the rank made.
// Cost     nothing where no iterations are; else a walk over the programs (executions.hpp).
#pragma once

#include <functional>
#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// `add`: is told of each problem and the node that has it, null for marked iterations; the thread's number first.
// REQUIRES: all else about the trace is sound.
void check_iterations(
    const Trace&,
    const std::function<void(std::size_t thread, const Node*, const std::string& problem)>& add);

}  // namespace reprise::trace_io
