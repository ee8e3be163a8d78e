// SPDX-License-Identifier: MIT
#include "sim/export/timeline/recorded_timelines.hpp"

#include <algorithm>

namespace reprise::sim {

RecordedTimelines::RecordedTimelines(const trace_io::Programs& programs, Deltas deltas,
                                     std::uint64_t seed)
    : compute_(deltas, seed),
      communicate_(deltas, seed),
      starts_(static_cast<std::size_t>(programs.trace().header.ranks)),
      timelines_(starts_.size()) {
  find_starts(programs);
  if (programs.thread_count() <= 1)
    clock_ = std::make_unique<CausalClock>(programs, compute_, communicate_, starts_);
  for (std::size_t r = 0; r < starts_.size(); ++r) {
    const Rank rank{static_cast<std::int32_t>(r)};
    if (programs.has(rank, 0))
      timelines_[r] =
          std::make_unique<RecordedTimeline>(programs, compute_, communicate_, rank, starts_[r]);
  }
}

void RecordedTimelines::find_starts(const trace_io::Programs& programs) {
  constexpr int kFirstCalls = 4;  // MPI_Initialized and its like may be asked before
  for (std::size_t r = 0; r < starts_.size(); ++r) {
    const Rank rank{static_cast<std::int32_t>(r)};
    if (!programs.has(rank, 0)) continue;
    RecordedTimeline timeline(programs, compute_, communicate_, rank);
    for (int call = 0; call < kFirstCalls && timeline.next(); ++call)
      if (timeline.call().procedure.kind == trace_io::Kind::init) {
        starts_[r] = timeline.call().end;
        break;
      }
    run_begin_ = std::max(run_begin_, starts_[r]);
  }
  for (std::int64_t& start : starts_) start = run_begin_ - start;
}

bool RecordedTimelines::next(Rank rank) {
  auto& timeline = timelines_[static_cast<std::size_t>(rank.value)];
  if (timeline == nullptr || !timeline->next()) return false;
  if (clock_ == nullptr) return true;
  const CausalClock::Times times = clock_->next(rank);
  timeline->move_to(times.computed_since, times.begin, times.end);
  return true;
}

}  // namespace reprise::sim
