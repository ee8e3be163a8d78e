// SPDX-License-Identifier: MIT
// A rank's program as timing nodes: how often each is executed, on which path, and what that takes.
//
// Paths  the call before an execution decides which compute time applies. Which one that is depends on where the program came from: the
//        first pass of a loop is entered from before it, the others from its own end; a loop that ran no pass at all leaves what was before.
//        So every node has a folded sequence of the calls before its executions. It is found in two steps: upwards, which call each
//        execution ends with, if any; downwards, which one it begins after. Where a body always ends with the same call both are constant,
//        and nothing is walked.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "trace-io/timing_tree/timing_node.hpp"

namespace reprise::trace_io {

// As TimingTree's constructor.
std::unique_ptr<TimingNode> timed_program(const Trace&, std::size_t thread, Rank,
                                          const TimingTree::Duration&);

// Calls visit(leaf, path, executions) for every path into every call that the rank executes. Cost: as the tree's.
using VisitPath = std::function<void(const Leaf&, const PathDeltas&, std::uint64_t executions)>;
void count_paths(const Trace&, std::size_t thread, Rank, const VisitPath&);

}  // namespace reprise::trace_io
