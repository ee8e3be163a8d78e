// SPDX-License-Identifier: MIT
// Where the run of a rank begins in its timing tree: times of a run count from the end of MPI_Init, as its length does.
#pragma once

#include "trace-io/timing_tree/timing_tree.hpp"

namespace reprise::trace_io {

// The end of MPI_Init or MPI_Init_thread, if it is among the rank's first calls; 0 in traces without it (imports, salvaged parts).
// Cost: a few searches.
TimingTree::Ticks run_begin(const Trace&, const TimingTree&);

}  // namespace reprise::trace_io
