// SPDX-License-Identifier: MIT
// The nodes of one of the two programs being merged, at one depth, with what aligning and rearranging them needs.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/merge/node_shape.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

struct ProgramSide {
  std::vector<Node> nodes;
  std::vector<NodeShape> shapes;  // of the nodes
  std::uint64_t executions = 1;   // no rank executes this list more often
  bool is_flat = true;  // no rank leaves this list in the middle: nothing counts its nodes
};

// The whole program of a thread, and the body of a loop (which is taken out of it).
ProgramSide side_of_program(std::vector<Node>);
ProgramSide side_of_body(Loop&, std::vector<NodeShape>);

// The nodes from first to last as the loop over them that makes one iteration each time the list is executed.
// REQUIRES: a single node, or the list is flat.
Node as_loop(ProgramSide&, std::size_t first, std::size_t last);

}  // namespace reprise::trace_io
