// SPDX-License-Identifier: MIT
#include "sim/export/timeline/recorded_timeline.hpp"

#include <cmath>

namespace reprise::sim {

RecordedTimeline::RecordedTimeline(const trace_io::Programs& programs, DeltaPlayer& compute,
                                   DeltaPlayer& communicate, Rank rank)
    : cursor_(programs, rank, 0), compute_(compute), communicate_(communicate) {
  computed_.rank = communicated_.rank = rank;
}

bool RecordedTimeline::next() {
  if (!cursor_.advance()) return false;
  const auto pass = [&](const trace_io::DeltaClass* durations, DeltaPlayer& player,
                        DeltaState& state) {
    if (durations != nullptr)
      now_ += static_cast<long double>(player.play(*durations, state).value) * 1e9L;
    return static_cast<std::int64_t>(std::llround(now_));
  };
  call_.computed_since = static_cast<std::int64_t>(std::llround(now_));
  call_.begin = pass(cursor_.compute(), compute_, computed_);
  call_.end = pass(cursor_.communicate(), communicate_, communicated_);
  call_.site = cursor_.site();
  call_.procedure = cursor_.procedure();
  call_.scalars = cursor_.scalars();
  call_.vectors.clear();
  for (std::size_t i = 0; i < trace_io::vector_count(call_.procedure); ++i)
    call_.vectors.push_back(cursor_.vector(i));
  requests_.number(call_);
  return true;
}

}  // namespace reprise::sim
