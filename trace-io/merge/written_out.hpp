// SPDX-License-Identifier: MIT
// Loops that one side has and the other executed once, so that there the body stands written out.
//
// Example  a rank with four neighbours loops over (Isend, Irecv), a rank with one neighbour calls the two once.
// How      in each gap between paired nodes, a stretch of one side that is structurally the body of a loop without a partner on
//          the other side becomes a loop of one iteration; aligning again then pairs the two.
// Where    only in flat lists: elsewhere the exits of the loop around count the nodes.
// Cost     O(nodes of both in the gap, multiplied), gaps beyond kAlignWork are left alone.
#pragma once

#include "trace-io/merge/program_side.hpp"
#include "trace-io/merge/shortest_edit.hpp"

namespace reprise::trace_io {

// Whether anything was changed, in which case the pairs are no longer valid. `pairs`: the alignment of the two.
bool fold_written_out_loops(ProgramSide& a, ProgramSide& b, const IndexPairs& pairs);

}  // namespace reprise::trace_io
