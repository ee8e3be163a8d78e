// SPDX-License-Identifier: MIT
#include "trace-io/walk/rank_mean.hpp"

#include "trace-io/model/value_sequence_cursor.hpp"

namespace reprise::trace_io {

double relative_mean(const DeltaClass& delta, Rank rank) {
  if (delta.scale_factors == nullptr) return 1;
  ValueSequence::Cursor scale_factors(delta.scale_factors->values);
  for (const Rank one : delta.scale_factors->ranks.ranks()) {
    const std::int64_t scale_factor = scale_factors.next();
    if (one == rank)
      return static_cast<double>(scale_factor) * static_cast<double>(delta.durations.count()) /
             static_cast<double>(delta.scaled_count);
  }
  return 1;
}

}  // namespace reprise::trace_io
