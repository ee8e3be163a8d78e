// SPDX-License-Identifier: MIT
// Paces as bytes: folded like other sequences, or one after the other where they do not fold (FORMAT.md, section 8).
#pragma once

#include "trace-io/file/shared_reader.hpp"
#include "trace-io/file/shared_writer.hpp"

namespace reprise::trace_io {

// About how many bytes the values take in a file.
std::size_t pace_bytes(const ValueSequence&);

// What comes first says how the ranks of a delta class differ; from kFirstPaces on: by the paces numbered from 0.
inline constexpr std::uint64_t kAllAlike = 0, kRankTotals = 1, kNewPaces = 2, kFirstPaces = 3;

// The paced count of a class whose ranks are those of its paces and execute equally often, modulo 2⁶⁴; others store the difference.
std::uint64_t usual_paced_count(const DeltaClass&);

// One per rank. Reading refuses totals that do not add up to what the class has.
void put_totals(ColumnWriter&, const std::vector<RankTotal>&);
std::vector<RankTotal> take_totals(ColumnReader&, const DeltaClass&);

void put_paces(ColumnWriter&, SharedWriter&, const Paces&, const RankList& context);
Paces take_paces(ColumnReader&, SharedReader&, const RankList& context);

}  // namespace reprise::trace_io
