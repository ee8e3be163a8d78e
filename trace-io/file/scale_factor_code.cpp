// SPDX-License-Identifier: MIT
#include "trace-io/file/scale_factor_code.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {
std::uint64_t usual_scaled_count(const DeltaClass& delta) {
  const auto ranks = static_cast<std::uint64_t>(delta.scale_factors->ranks.size());
  if (ranks == 0) return 0;
  const Wide all = static_cast<Wide>(delta.durations.count()) *
                   static_cast<std::uint64_t>(delta.scale_factors->values.sum());
  return static_cast<std::uint64_t>(all / ranks);
}

void put_totals(ColumnWriter& out, const std::vector<RankTotal>& totals) {
  for (const RankTotal& total : totals) {
    out.put(Column::bin_counts, total.count);
    out.put(Column::bin_times, static_cast<std::uint64_t>(total.sum));
  }
}

std::vector<RankTotal> take_totals(ColumnReader& in, const DeltaClass& delta) {
  std::vector<RankTotal> totals;
  std::uint64_t count = 0, sum = 0;
  const std::uint64_t all_counts = delta.durations.count(),
                      all_sums = static_cast<std::uint64_t>(delta.durations.sum().value);
  for (std::int32_t i = 0; i < delta.ranks.size(); ++i) {
    const std::uint64_t its_count = in.take(Column::bin_counts);
    const std::uint64_t its_sum = in.take(Column::bin_times);
    if (its_count > all_counts - count || its_sum > all_sums - sum)
      in.refuse(Column::bin_times, "totals of ranks that exceed those of all ranks");
    count += its_count;
    sum += its_sum;
    totals.push_back({its_count, static_cast<std::int64_t>(its_sum)});
  }
  if (count != all_counts || sum != all_sums)
    in.refuse(Column::bin_times, "totals of ranks that do not add up to those of all ranks");
  return totals;
}

void put_scale_factors(ColumnWriter& out, SharedWriter& shared,
                       const RankScaleFactors& scale_factors, const RankList& context) {
  shared.ranks(Column::deltas, scale_factors.ranks, context);
  const bool folds = folded_bytes(scale_factors.values) <= plain_bytes(scale_factors.values);
  out.put(Column::deltas, folds ? 0 : 1);
  if (folds) {
    shared.sequence(Column::deltas, scale_factors.values);
    return;
  }
  const auto all = scale_factors.values.unrolled();
  const std::int64_t lowest = *std::min_element(all.begin(), all.end());
  out.put(Column::deltas, static_cast<std::uint64_t>(lowest));
  for (const std::int64_t value : all)
    out.put(Column::deltas, static_cast<std::uint64_t>(value - lowest));
}

RankScaleFactors take_scale_factors(ColumnReader& in, SharedReader& shared,
                                    const RankList& context) {
  RankScaleFactors scale_factors;
  scale_factors.ranks = shared.ranks(Column::deltas, context);
  const std::uint64_t form = in.take(Column::deltas);
  if (form > 1)
    in.refuse(Column::deltas, "form of scale factors " + std::to_string(form) + " does not exist");
  if (form == 0) {
    bool is_shared = true;
    scale_factors.values = shared.sequence(Column::deltas, is_shared);
    return scale_factors;
  }
  const std::uint64_t lowest = in.take(Column::deltas);
  for (std::int32_t i = 0; i < scale_factors.ranks.size(); ++i) {
    const std::uint64_t more = in.take(Column::deltas);
    if (lowest > static_cast<std::uint64_t>(RankScaleFactors::kLargest) ||
        more > static_cast<std::uint64_t>(RankScaleFactors::kLargest) - lowest)
      in.refuse(Column::deltas,
                "a scale factor above " + std::to_string(RankScaleFactors::kLargest));
    scale_factors.values.append(static_cast<std::int64_t>(lowest + more));
  }
  return scale_factors;
}

}  // namespace reprise::trace_io
