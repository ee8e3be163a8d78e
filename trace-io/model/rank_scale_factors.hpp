// SPDX-License-Identifier: MIT
// By how much the durations of ranks that share a distribution differ: imbalance, at a few bytes.
//
// RankScaleFactors   one number per rank, of which only ratios matter: a rank of scale factor 30 takes three times as long, each time, as one of scale factor 10.
//         Several paths into calls refer to the same scale factors where the same ranks are slow in all of them.
// Played  the durations of a class have the exact sum S over all of its ranks. With n(r) executions of rank r and scale factor p(r), let
//         P = Σ n(r)·p(r), the class's scaled count. One execution of rank r then takes p(r)·S/P in the mean, and all of them
//         together S, however coarse the scale factors are.
// Totals  while traces are merged the exact count and sum of each rank is kept instead; merge/finalize.hpp makes scale factors of them.
#pragma once

#include <cstdint>

#include "trace-io/model/rank_list.hpp"
#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {

struct RankScaleFactors {
  static constexpr std::int64_t kLargest = (std::int64_t{1} << 31) - 1;

  RankList ranks;        // may be more than those of a class that refers to them
  ValueSequence values;  // in the order of the ranks; 0 … kLargest

  std::uint64_t hash() const { return ranks.hash() * 0x9e3779b97f4a7c15U + values.hash(); }
  friend bool operator==(const RankScaleFactors&, const RankScaleFactors&) = default;
};

// What one rank spent in all of its executions.
struct RankTotal {
  std::uint64_t count = 0;
  std::int64_t sum = 0;  // ns
  friend bool operator==(const RankTotal&, const RankTotal&) = default;
};

}  // namespace reprise::trace_io
