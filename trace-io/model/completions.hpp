// SPDX-License-Identifier: MIT
// What a trace keeps of the order in which requests completed (MPI_Waitany, MPI_Testsome and their like).
//
// Why     which request such a call completes, how many it completes, and so how often it is called and what is sent between two of these calls, is the
//         order of one run, not of the program: kept call by call it grows with the steps and no loop folds.
// Kept    a phase is what stands between two calls that are no non-blocking send or receive and no such completion. Its first few executions (kRepresentatives,
//         completion_phase.hpp of the recorder) are kept call by call; a later one of the same requests, the same sends and receives and the same
//         completions is stored as one of those. Its sizes, tags, peers and times stay its own.
// Exact   requests, messages and their bytes; the times, as sums; the number of calls: where the phase that stands for another has fewer or more calls of a
//         site, the difference is in the leaf's further calls.
#pragma once

#include <cstdint>

#include "trace-io/base/quantity.hpp"

namespace reprise::trace_io {

// Calls that a rank made of a site beyond those that its program executes; below 0 where it made fewer.
struct FurtherCalls {
  Rank rank;
  std::int64_t calls = 0;
  friend bool operator==(const FurtherCalls&, const FurtherCalls&) = default;
};

// Of a trace whose completions are not kept call by call, over all ranks.
struct CompletionRecord {
  std::uint64_t phases = 0;
  std::uint64_t represented = 0;  // of them, by another phase
  friend bool operator==(const CompletionRecord&, const CompletionRecord&) = default;
};

}  // namespace reprise::trace_io
