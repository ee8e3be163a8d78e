// SPDX-License-Identifier: MIT
// The scale factors of a job's paths into calls: chosen (finalize.hpp says how), and made to take few bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Of a trace with the totals of its ranks: chooses the scale factors of its paths. `bytes`: what those may take that only the order of
// compute times asks for. Returns how many of them were used.
std::size_t fit_scale_factors(Trace&, std::size_t bytes);
// The same of times inside calls that a replay computes, which matter to whoever reads the recorded times of a rank: its total and each call's.
void fit_scale_factors_inside_calls(Trace&);

// Measured ratios of ranks as scale factors that take few bytes.
//
// What    each rank's scale factor may be off by its tolerance, and within that freedom the numbers are chosen that fold best: few levels (groups of
//         ranks), straight lines over ranks (gradients), or, where neither folds, a byte per rank.
// Cost    O(ranks log ranks).
// Source  straight lines: the swing filter (Elmeleegy, Elmagarmid, Cecchet, Aref, Zwaenepoel: Online Piece-wise Linear
//         Approximation of Numerical Streams with Precision Guarantees, VLDB 2009), with whole-numbered slopes.

struct FoldedScaleFactors {
  ValueSequence values;
  std::vector<std::int64_t> each;
};

// ratios ≥ 0, around 1; tolerances relative, > 0. Kept wherever kSmallestScaleFactor and RankScaleFactors::kLargest leave room for it.
FoldedScaleFactors fold_scale_factors(std::span<const double> ratios,
                                      std::span<const double> tolerances);

}  // namespace reprise::trace_io
