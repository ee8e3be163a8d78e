// SPDX-License-Identifier: MIT
#include "trace-io/walk/rank_mean.hpp"

#include "trace-io/model/value_sequence_cursor.hpp"

namespace reprise::trace_io {

double relative_mean(const DeltaClass& delta, Rank rank) {
  if (delta.paces == nullptr) return 1;
  ValueSequence::Cursor paces(delta.paces->values);
  for (const Rank one : delta.paces->ranks.ranks()) {
    const std::int64_t pace = paces.next();
    if (one == rank)
      return static_cast<double>(pace) * static_cast<double>(delta.durations.count()) /
             static_cast<double>(delta.paced_count);
  }
  return 1;
}

}  // namespace reprise::trace_io
