// SPDX-License-Identifier: MIT
// The durations of all ranks on one path into a call, as one distribution and the exact total of every rank.
//
// What    the shapes are pooled; where the two sides' means differ by more than chance explains (kStandardErrors), each is scaled to
//         the common mean first, so that a class of fast and slow ranks does not look as if every rank scattered that much.
// Cost    O(ranks + bins) time and 16 bytes a rank while traces are merged: what is to be kept of it can only be told when all ranks
//         are in (finalize.hpp).
#pragma once

#include <vector>

#include "trace-io/merge/rank_unions.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// The totals of a class, one per rank in their order: its own, or those that follow for a class of one rank. For a class that was
// finalized before, where nothing better is known: as if its ranks had executed it equally often.
std::vector<RankTotal> rank_totals(const DeltaClass&);

// All classes of both sides as one; none where there are none. REQUIRES: no rank is in two of them.
std::vector<DeltaClass> pooled_classes(std::vector<DeltaClass> a, std::vector<DeltaClass> b,
                                       RankUnions&);

}  // namespace reprise::trace_io
