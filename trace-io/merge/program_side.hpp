// SPDX-License-Identifier: MIT
// The nodes of one of the two programs being merged, at one depth, with what aligning and rearranging them needs.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/merge/alignment.hpp"
#include "trace-io/merge/shortest_edit.hpp"
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

// Loops that one side has and the other executed once, so that there the body stands written out.
//
// Example  a rank with four neighbours loops over (Isend, Irecv), a rank with one neighbour calls the two once.
// How      in each gap between paired nodes, a stretch of one side that is structurally the body of a loop without a partner on
//          the other side becomes a loop of one iteration; aligning again then pairs the two.
// Where    only in flat lists: elsewhere the exits of the loop around count the nodes.
// Cost     O(nodes of both in the gap, multiplied), gaps beyond kAlignWork are left alone.

// Whether anything was changed, in which case the pairs are no longer valid. `pairs`: the alignment of the two.
bool fold_written_out_loops(ProgramSide& a, ProgramSide& b, const IndexPairs& pairs);

}  // namespace reprise::trace_io
