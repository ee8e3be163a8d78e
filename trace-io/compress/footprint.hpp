// SPDX-License-Identifier: MIT
// What a folded program takes in memory, and what a trace of it takes beside it while it is made and written: a snapshot during the run, or the
// one in MPI_Finalize.
//
// Why estimated  what the allocator holds counts all of a process. The sizes of nodes and the numbers of terms are known; how vectors grow, too.
// Cost           O(nodes + terms of loops that are being repeated).
#pragma once

#include <cstddef>

#include "trace-io/compress/fold_node.hpp"

namespace reprise::trace_io {

struct Footprint {           // bytes
  std::size_t recorded = 0;  // the nodes, with what further events are looked up in
  std::size_t copied = 0;    // the same nodes in a trace
};

Footprint footprint_of(const FoldBody&);

// What writing a trace takes that itself takes so much: the payload and the tables of zstd at the levels of container.cpp, which grow with the
// payload up to 18 MB. The first MiB is not counted: no MPI program notices it.
std::size_t coding_bytes(std::size_t trace_bytes);

}  // namespace reprise::trace_io
