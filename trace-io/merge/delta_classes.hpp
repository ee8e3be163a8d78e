// SPDX-License-Identifier: MIT
// Which ranks share the recorded durations inside the calls of one place.
//
// What    ranks whose durations differ systematically are kept in classes of their own, at most kClassLimit a place, so that
//         imbalance survives the merge at constant size. Counts, sums and squares are conserved whatever is united.
// When    two classes become one where their means agree within kAgreement, or differ by less than chance explains
//         (kStandardErrors), or by less over a rank's whole run than kNegligibleShare of it; and, while there are more
//         classes than the limit, the pair whose union adds the least variance (Ward).
// Order   by mean while uniting, by lowest rank in the result; deterministic.
#pragma once

#include <vector>

#include "trace-io/merge/rank_unions.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

inline constexpr std::size_t kClassLimit = 4;
inline constexpr double kAgreement = 0.02;
inline constexpr double kStandardErrors = 4;
inline constexpr double kNegligibleShare = 1e-5;

// The classes of one place as both sides have it. REQUIRES: no rank is in two of them. `elapsed`: the run's length.
std::vector<DeltaClass> united_classes(std::vector<DeltaClass> a, std::vector<DeltaClass> b,
                                       Nanoseconds elapsed, RankUnions&);

// All of them as one class; none where there are none.
std::vector<DeltaClass> one_class(std::vector<DeltaClass> a, std::vector<DeltaClass> b,
                                  RankUnions&);
// The same into a, where both have one class without memory for anything but what grows. Uses up b.
void unite_in_one(std::vector<DeltaClass>& a, std::vector<DeltaClass>& b, RankUnions&);

// The durations of all ranks on one path into a call, as one distribution and the exact total of every rank.
//
// What    the shapes are pooled; where the two sides' means differ by more than chance explains (kStandardErrors), each is scaled to
//         the common mean first, so that a class of fast and slow ranks does not look as if every rank scattered that much, and
//         counts in the share of its time, so that the noise of idle ranks does not become outliers of busy ones.
// Cost    O(ranks + bins) time and 16 bytes a rank while traces are merged: what is to be kept of it can only be told when all ranks
//         are in (finalize.hpp).

// The totals of a class, one per rank in their order: its own, or those that follow for a class of one rank. For a class that was
// finalized before, where nothing better is known: as if its ranks had executed it equally often.
std::vector<RankTotal> rank_totals(const DeltaClass&);

// All classes of both sides as one; none where there are none. REQUIRES: no rank is in two of them.
std::vector<DeltaClass> pooled_classes(std::vector<DeltaClass> a, std::vector<DeltaClass> b,
                                       RankUnions&);
// The same into a, as unite_in_one().
void pool_classes(std::vector<DeltaClass>& a, std::vector<DeltaClass>& b, RankUnions&);

}  // namespace reprise::trace_io
