// SPDX-License-Identifier: MIT
// RankScaleFactors as bytes: folded like other sequences, or one after the other where they do not fold (FORMAT.md, section 8).
#pragma once

#include "trace-io/file/shared_reader.hpp"
#include "trace-io/file/shared_writer.hpp"

namespace reprise::trace_io {

// What comes first says how the ranks of a delta class differ; from kFirstScaleFactors on: by the scale factors numbered from 0.
inline constexpr std::uint64_t kAllAlike = 0, kRankTotals = 1, kNewScaleFactors = 2,
                               kFirstScaleFactors = 3;

// The scaled count of a class whose ranks are those of its scale factors and execute equally often, modulo 2⁶⁴; others store the difference.
std::uint64_t usual_scaled_count(const DeltaClass&);

// One per rank. Reading refuses totals that do not add up to what the class has.
void put_totals(ColumnWriter&, const std::vector<RankTotal>&);
std::vector<RankTotal> take_totals(ColumnReader&, const DeltaClass&);

void put_scale_factors(ColumnWriter&, SharedWriter&, const RankScaleFactors&,
                       const RankList& context);
RankScaleFactors take_scale_factors(ColumnReader&, SharedReader&, const RankList& context);

}  // namespace reprise::trace_io
