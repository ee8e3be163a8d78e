// SPDX-License-Identifier: MIT
// The calls of one rank of a recorded trace, one after the other, at the times at which a replay with these deltas would play them back
// if every call took what was recorded.
//
// Time        sums are kept exactly; what is shown is rounded to nanoseconds, so rounding does not add up.
// Preemption  of a recording in wall-clock time, a rank's computing is prolonged by what it was preempted for, all of it by one factor:
//             where a rank was preempted the trace does not say. A rank that computed nothing is not prolonged.
// Cost        next(): that of a cursor's step.
#pragma once

#include <cstdint>

#include "sim/engine/deltas/delta_player.hpp"
#include "sim/export/timeline/request_numbering.hpp"
#include "sim/export/timeline/timed_call.hpp"
#include "trace-io/walk/cursor.hpp"

namespace reprise::sim {

// What a rank's computing takes of wall-clock time, for a second without preemption: ≥ 1. Of a recording in CPU time, and where nobody looked: 1.
double preemption_factor(const trace_io::Trace&, Rank);

class RecordedTimeline {
 public:
  // All must outlive this. START: when the rank's calls and computing begin, ns; nothing is said of what was before.
  RecordedTimeline(const trace_io::Programs&, DeltaPlayer& compute, DeltaPlayer& communicate, Rank,
                   std::int64_t start = 0);
  bool next();  // to the first, then to the next call; false at the end
  const TimedCall& call() const { return call_; }
  // Of the current call, ns: how long it takes at least if nothing is waited for, by the shortest recorded one of its kind on this path.
  std::int64_t least() const;
  // Puts the current call elsewhere; the next one is where it was.
  void move_to(std::int64_t computed_since, std::int64_t begin, std::int64_t end);

 private:
  trace_io::Cursor cursor_;
  DeltaPlayer &compute_, &communicate_;
  DeltaState computed_, communicated_;
  long double factor_;
  long double now_;  // ns
  bool has_begun_ = false;
  TimedCall call_;
  RequestNumbering requests_;
};

}  // namespace reprise::sim
