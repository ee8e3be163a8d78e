// SPDX-License-Identifier: MIT
// The calls of one rank of a recorded trace, one after the other, at the times at which a replay with these deltas would play them back
// if every call took what was recorded.
//
// Time    sums are kept exactly; what is shown is rounded to nanoseconds, so rounding does not add up.
// Cost    next(): that of a cursor's step.
#pragma once

#include <cstdint>

#include "sim/engine/deltas/delta_player.hpp"
#include "sim/export/timeline/request_numbering.hpp"
#include "sim/export/timeline/timed_call.hpp"
#include "trace-io/walk/cursor.hpp"

namespace reprise::sim {

class RecordedTimeline {
 public:
  // All must outlive this.
  RecordedTimeline(const trace_io::Programs&, DeltaPlayer& compute, DeltaPlayer& communicate, Rank);
  bool next();  // to the first, then to the next call; false at the end
  const TimedCall& call() const { return call_; }

 private:
  trace_io::Cursor cursor_;
  DeltaPlayer &compute_, &communicate_;
  DeltaState computed_, communicated_;
  long double now_ = 0;  // ns
  TimedCall call_;
  RequestNumbering requests_;
};

}  // namespace reprise::sim
