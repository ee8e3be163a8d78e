// SPDX-License-Identifier: MIT
// The values of one field, as two disjoint sets of ranks have them, become one list of entries.
//
// What    entries become one where their values are the same in a common form, or the values of one are a prefix of the
//         other's (trace.hpp, Lengths). An entry stays joinable in every form that all its ranks agree in, so that the
//         order of merging does not decide which form wins.
// Forms   relative and exclusive-or need to know each rank's place in the frame: they are used only where every rank of
//         the entry means one and the same communicator in all executions, and for relative, one of equal size.
// Cost    a few entries are compared pairwise; many are looked up by the hash of their values in each form, which costs
//         O(terms) an entry, and a bounded number of prefix comparisons.
#pragma once

#include <span>
#include <vector>

#include "trace-io/merge/rank_unions.hpp"
#include "trace-io/model/communicators.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Of values that are no peers: iterations, exits.
FieldValues joined_plain(FieldValues a, FieldValues b, RankUnions&);
// The same into a; uses up b.
void join_plain(FieldValues& a, FieldValues& b, RankUnions&);

// Of all fields of two leaves of one site, into a; takes the values out of b.
void join_fields(Leaf& a, Leaf& b, std::span<const FieldSpec>, const CommunicatorTable&,
                 RankUnions&);

}  // namespace reprise::trace_io
