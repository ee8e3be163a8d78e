// SPDX-License-Identifier: MIT
// Where what each rank of a program that died had saved ends: how far it came, and which rank's part ends first.
//
// Why     a rank that a signal killed has saved nothing since its last snapshot, while the others save once more as the job is ended. A
//         trace that can be replayed ends with the first of them.
// Cost    of a part: that of its timing tree (trace-io/timing_tree), linear in the folded part.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::cli {

struct PartEnd {
  Rank rank;
  Seconds snapshot;                       // of the run, when the last one was taken; 0: not known
  Seconds run;                            // recorded, of its own clock; 0: no times
  std::vector<std::uint64_t> iterations;  // of the loops around its last call, outermost first
  std::vector<std::string> loops;         // their names
};

// Of the first recorded rank, main thread.
PartEnd end_of(const trace_io::Trace&);

// The one that ends first: in the earliest iteration where all are in one loop, else by snapshot, else by run. Of the ENDS of these
// places; of all where there are none of them. REQUIRES: ENDS is not empty.
std::size_t first_end(const std::vector<PartEnd>& ends, const std::vector<std::size_t>& places);

// Whether the ranks ended in different iterations, or in different loops.
bool are_apart(const std::vector<PartEnd>& ends);

// "rank 2's part ends first: its last snapshot was 0.23 s into the run, in iteration 2 of LOOP; recorded calls of ranks 0-1,3 end in iteration 10 (…)". LOOP: the
// name of the first one's outermost loop; up to four iterations are named with their ranks, of more the range.
std::string ends_text(const std::vector<PartEnd>& ends, std::size_t first, const std::string& loop);

}  // namespace reprise::cli
