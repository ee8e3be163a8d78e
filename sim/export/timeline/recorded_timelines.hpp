// SPDX-License-Identifier: MIT
// The calls of all ranks of a recorded trace at times that agree with each other.
//
// Begin    the ranks' MPI_Init end at one time: from there on a run counts, and all is as a replay and `trace at` have it. Ranks without one, in
//          imported and salvaged traces, begin their calls then.
// Order    no message is received before it is sent, and no collective left before those it needs have entered it (causal_clock.hpp), unless ranks
//          have more than one thread: messages of other threads are not known here, and would be taken for those of the first.
// Cost     a call: two cursors' steps and what the clock takes. Memory: two cursors for each rank, and the clock's.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/export/timeline/causal_clock.hpp"

namespace reprise::sim {

class RecordedTimelines {
 public:
  RecordedTimelines(const trace_io::Programs&, Deltas, std::uint64_t seed);
  bool next(Rank);  // to the rank's first, then to its next call; false at its end
  const TimedCall& call(Rank rank) const {
    return timelines_[static_cast<std::size_t>(rank.value)]->call();
  }
  CausalMoves moves() const { return clock_ ? clock_->moves() : CausalMoves{}; }
  std::int64_t run_begin() const { return run_begin_; }  // where MPI_Init ends, ns

 private:
  void find_starts(const trace_io::Programs&);

  DeltaPlayer compute_, communicate_;
  std::int64_t run_begin_ = 0;
  std::vector<std::int64_t> starts_;
  std::unique_ptr<CausalClock> clock_;                        // none: times stay as they are
  std::vector<std::unique_ptr<RecordedTimeline>> timelines_;  // none: no calls
};

}  // namespace reprise::sim
