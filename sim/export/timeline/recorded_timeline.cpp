// SPDX-License-Identifier: MIT
#include "sim/export/timeline/recorded_timeline.hpp"

#include <algorithm>
#include <cmath>

namespace reprise::sim {

double preemption_factor(const trace_io::Trace& trace, Rank rank) {
  if (trace.header.clock == trace_io::Clock::cpu || !trace.preemptions) return 1;
  const auto& rows = trace.preemptions->ranks;
  const auto found = std::ranges::lower_bound(rows, rank, {}, &trace_io::RankPreemptions::rank);
  if (found == rows.end() || found->rank != rank || found->compute.value <= 0) return 1;
  return 1 + static_cast<double>(found->time.value) / static_cast<double>(found->compute.value);
}

RecordedTimeline::RecordedTimeline(const trace_io::Programs& programs, DeltaPlayer& compute,
                                   DeltaPlayer& communicate, Rank rank, std::int64_t start)
    : cursor_(programs, rank, 0),
      compute_(compute),
      communicate_(communicate),
      factor_(preemption_factor(programs.trace(), rank)),
      now_(static_cast<long double>(start)) {
  computed_.rank = communicated_.rank = rank;
}

bool RecordedTimeline::next() {
  if (!cursor_.advance()) return false;
  const auto pass = [&](const trace_io::DeltaClass* durations, DeltaPlayer& player,
                        DeltaState& state, long double factor) {
    if (durations != nullptr)
      now_ += static_cast<long double>(player.play(*durations, state).value) * 1e9L * factor;
    return static_cast<std::int64_t>(std::llround(now_));
  };
  call_.computed_since = has_begun_ ? static_cast<std::int64_t>(std::llround(now_)) : 0;
  has_begun_ = true;
  call_.begin = pass(cursor_.compute(), compute_, computed_, factor_);
  call_.end = pass(cursor_.communicate(), communicate_, communicated_, 1);
  call_.site = cursor_.site();
  call_.procedure = cursor_.procedure();
  call_.scalars = cursor_.scalars();
  call_.vectors.clear();
  for (std::size_t i = 0; i < trace_io::vector_count(call_.procedure); ++i)
    call_.vectors.push_back(cursor_.vector(i));
  requests_.number(call_);
  return true;
}

std::int64_t RecordedTimeline::least() const {
  const trace_io::DeltaClass* durations = cursor_.communicate();
  const std::int64_t length = call_.end - call_.begin;
  if (durations == nullptr || durations->durations.count() == 0) return length;
  return std::min(length, durations->durations.min().value.value);
}

void RecordedTimeline::move_to(std::int64_t computed_since, std::int64_t begin, std::int64_t end) {
  call_.computed_since = computed_since;
  call_.begin = begin;
  call_.end = end;
}

}  // namespace reprise::sim
