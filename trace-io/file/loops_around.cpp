// SPDX-License-Identifier: MIT
#include "trace-io/file/loops_around.hpp"

#include <algorithm>
#include <utility>

namespace reprise::trace_io {
namespace {

const ValueSequence* values_of(const FieldValues& field, Rank rank) {
  for (const FieldEntry& entry : field)
    if (entry.ranks.contains(rank)) return &entry.values;
  return nullptr;
}

}  // namespace

std::vector<LoopPlaces> LoopsAround::of(Rank rank, std::uint64_t executions) {
  std::vector<LoopPlaces> levels;
  if (loops_.empty()) return levels;
  steps_ += kStepsOfOne * executions;
  for (std::size_t level = 0; level < std::min(kLevels, loops_.size()); ++level) {
    const auto& [loop, index] = loops_[loops_.size() - 1 - level];
    if (!takes(loop->iterations.size() + loop->exits.size())) break;
    const ValueSequence *iterations = values_of(loop->iterations, rank),
                        *exits = values_of(loop->exits, rank);
    if (iterations == nullptr || exits == nullptr) break;
    LoopPlaces places;
    places.executions = iterations->size();
    if (places.executions > kFree + kOfOne * executions) break;
    // Level by level: first by executions of the node of this loop's body, of which there are as many as the loop inside has executions.
    const std::uint64_t inside = level == 0 ? executions : levels.back().executions;
    const bool is_never_left = exits->empty() || (exits->is_constant() && exits->front() == 0);
    if (!takes(places.executions + inside + (is_never_left ? 0 : index))) break;
    std::int64_t position = 0;  // of the node among those that the rank sees
    if (!is_never_left)
      for (std::size_t i = 0; i < index; ++i)
        if (loop->body[i].ranks.contains(rank)) ++position;
    ValueSequence::Cursor iteration(*iterations), exit(*exits);
    for (std::uint32_t e = 0; e < places.executions && places.place.size() < inside; ++e) {
      const std::int64_t full = iteration.next();
      const std::int64_t left_at = exit.at_end() ? 0 : exit.next();
      const std::uint64_t times = static_cast<std::uint64_t>(std::max<std::int64_t>(full, 0)) +
                                  (left_at > position ? 1U : 0U);
      places.place.insert(places.place.end(), std::min(times, inside - places.place.size()), e);
    }
    if (level > 0) {
      std::vector<std::uint32_t> all;
      for (const std::uint32_t inner : levels.back().place) {
        if (inner >= places.place.size()) break;
        all.push_back(places.place[inner]);
      }
      places.place = std::move(all);
    }
    levels.push_back(std::move(places));
  }
  return levels;
}

}  // namespace reprise::trace_io
