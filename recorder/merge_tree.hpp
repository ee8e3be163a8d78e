// SPDX-License-Identifier: MIT
// The merge of all ranks' traces in MPI_Finalize: a binary tree of serialised traces over a private communicator.
//
// Cost    log2(ranks) rounds; a rank merges at most that many traces and sends one. The CPU time of all ranks, with reading and writing
//         what is sent, is added up in the header (merge_cpu).
// Never hangs  every rank that is expected to send does so: where its trace could not be made, an empty message. What could not be
//              received or merged is a loss ("ranks lost in the merge") and the trace is marked incomplete.
#pragma once

#include <mpi.h>

#include <optional>
#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise::recorder {

// Collective over `comm`. On rank 0: everybody's trace; elsewhere: nothing. `own` empty: this rank has no trace to give.
std::optional<trace_io::Trace> merge_over(MPI_Comm comm,
                                          std::optional<trace_io::Trace> own) noexcept;

}  // namespace reprise::recorder
