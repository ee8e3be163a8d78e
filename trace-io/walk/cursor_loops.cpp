// SPDX-License-Identifier: MIT
// What a cursor knows of the loops around it, and jumping over iterations.
#include <algorithm>
#include <memory>
#include <vector>

#include "trace-io/base/error.hpp"
#include "trace-io/walk/cursor.hpp"
#include "trace-io/walk/cursor_state.hpp"
#include "trace-io/walk/similar_sizes.hpp"

namespace reprise::trace_io {

Cursor::Cursor(std::unique_ptr<State> state) : state_(std::move(state)) {}
Cursor Cursor::copy() const { return Cursor(state_->copy()); }

std::uint32_t Cursor::depth() const { return state_->depth; }
bool Cursor::began_iteration() const { return state_->begun < state_->depth; }
std::uint32_t Cursor::begun() const { return state_->begun; }

Cursor::LoopPlace Cursor::loop(std::uint32_t depth) const {
  const auto& loop = state_->loops[depth];
  const std::uint32_t number = state_->part_of(depth).plan;
  const LoopPlan& plan = state_->thread.loops[number];
  return {number, plan.loop, plan.is_everyones, loop.passed, loop.passes};
}

void Cursor::values_left(std::uint32_t depth, std::vector<std::uint64_t>& to) const {
  to.clear();
  for (const auto& reader : state_->body_readers(depth)) to.push_back(reader.values.remaining());
}

std::uint64_t Cursor::periods_alike(std::uint32_t depth,
                                    std::span<const std::uint64_t> values_per_period, Sizes sizes,
                                    double drift) const {
  if (state_->part_of(depth).has_tag_steps) return 0;
  const auto readers = state_->body_readers(depth);
  std::uint64_t periods = ~std::uint64_t{0};
  for (std::size_t i = 0; i < readers.size() && periods > 0; ++i) {
    const std::uint64_t values = values_per_period[i];
    if (values == 0 || (sizes == Sizes::any && readers[i].size_of != SizeOf::none)) continue;
    std::uint64_t alike = readers[i].values.repeats(values) / values;
    if (sizes == Sizes::similar && readers[i].size_of != SizeOf::none &&
        alike < std::min(periods, readers[i].values.remaining() / values)) {
      const std::uint64_t similar =
          periods_of_similar_sizes(readers[i].values, readers[i].size_of, values, drift);
      if (similar > alike + 1) alike = similar;  // the last one of a phase has no other to repeat
    }
    periods = std::min(periods, alike);
  }
  return periods;
}

std::uint64_t Cursor::period(std::uint32_t depth, std::uint64_t longest) const {
  Cursor ahead = copy();
  std::vector<std::vector<std::uint64_t>> left(1);
  values_left(depth, left.front());
  while (left.size() <= longest && ahead.advance() && ahead.depth() > depth) {
    if (ahead.state_->begun > depth) continue;
    if (ahead.state_->begun < depth || ahead.loop(depth).left == 0) break;
    ahead.values_left(depth, left.emplace_back());
  }
  const std::uint64_t iterations = loop(depth).left;
  std::vector<std::uint64_t> taken(left.front().size());
  for (std::uint64_t period = 1; period < left.size(); ++period) {
    for (std::size_t i = 0; i < taken.size(); ++i) taken[i] = left[0][i] - left[period][i];
    const auto is_enough = [&](std::uint64_t alike) {
      return alike >= iterations || 2 * alike * period >= iterations;
    };
    if (is_enough(periods_alike(depth, taken, Sizes::any)) &&
        is_enough(periods_alike(depth, taken, Sizes::similar, kMostDrift)))
      return period;
  }
  return 0;
}

void Cursor::jump(std::uint32_t depth, std::uint64_t iterations, std::uint64_t periods,
                  std::span<const std::uint64_t> values_per_period) {
  auto& loop = state_->loops[depth];
  REPRISE_ASSERT(iterations < loop.passes, "a jump ends inside its loop");
  const auto readers = state_->body_readers(depth);
  for (std::size_t i = 0; i < readers.size(); ++i)
    readers[i].values.skip(periods * values_per_period[i]);
  loop.passes -= iterations;
  loop.passed += iterations;
}

}  // namespace reprise::trace_io
