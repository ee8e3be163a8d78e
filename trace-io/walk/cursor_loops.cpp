// SPDX-License-Identifier: MIT
// What a cursor knows of the loops around it, and jumping over iterations.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "trace-io/base/error.hpp"
#include "trace-io/walk/cursor.hpp"
#include "trace-io/walk/cursor_state.hpp"

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

namespace {

// Sizes that stand at the same place in each period.
class SizesAtPlace {
 public:
  explicit SizesAtPlace(std::uint64_t a_part) : a_part_(a_part) {}
  void add(std::int64_t size) {
    const auto value = static_cast<double>(size);
    if (count_ > 0) squared_steps_ += (value - last_) * (value - last_);
    last_ = value;
    sum_ += value;
    least_ = std::min(least_, size);
    most_ = std::max(most_, size);
    if (count_++ % a_part_ == 0) parts_.push_back(0);
    parts_.back() += value;
  }
  bool are_similar(SizeOf size_of) const {
    constexpr std::int64_t kSmall = 4096;
    return (most_ <= kSmall || static_cast<double>(most_) <= 2 * mean()) &&
           (size_of == SizeOf::message || least_ > 0 || most_ == 0) && is_one_phase();
  }

 private:
  double mean() const { return sum_ / static_cast<double>(count_); }
  // Whether the mean of each part is that of all, but for chance and a twentieth. How much sizes scatter by chance follows from how they
  // change from one to the next, in which phases hardly show (von Neumann et al., Annals of Mathematical Statistics 12, 1941).
  bool is_one_phase() const {
    constexpr double kChance = 4, kDrift = 0.05;
    const double chance =
        std::sqrt(squared_steps_ / 2 / static_cast<double>(count_) / static_cast<double>(a_part_));
    for (std::size_t part = 0; part < count_ / a_part_; ++part)
      if (std::abs(parts_[part] / static_cast<double>(a_part_) - mean()) >
          kDrift * mean() + kChance * chance)
        return false;
    return true;
  }

  std::uint64_t a_part_, count_ = 0;
  double sum_ = 0, last_ = 0, squared_steps_ = 0;
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max(), most_ = 0;
  std::vector<double> parts_;  // sums
};

// For how many periods from here on sizes are like those of any other of these periods: no more than twice the mean of what stands at the
// same place, or small, and no phases of larger and smaller ones; blocks of collectives are nothing only where the others are nothing, as it
// may depend on that who sends any.
std::uint64_t periods_of_similar_sizes(ValueSequence::Cursor values, SizeOf size_of,
                                       std::uint64_t a_period) {
  constexpr std::uint64_t kMostLooked = std::uint64_t{1} << 20, kParts = 16;
  const std::uint64_t periods = std::min(values.remaining(), kMostLooked) / a_period;
  if (periods == 0) return 0;
  std::vector<SizesAtPlace> places(a_period,
                                   SizesAtPlace(std::max<std::uint64_t>(1, periods / kParts)));
  for (std::uint64_t period = 0; period < periods; ++period)
    for (SizesAtPlace& place : places) place.add(values.next());
  const bool are_similar = std::ranges::all_of(
      places, [&](const SizesAtPlace& place) { return place.are_similar(size_of); });
  return are_similar ? periods : 0;
}

}  // namespace

std::uint64_t Cursor::periods_alike(std::uint32_t depth,
                                    std::span<const std::uint64_t> values_per_period,
                                    Sizes sizes) const {
  const auto readers = state_->body_readers(depth);
  std::uint64_t periods = ~std::uint64_t{0};
  for (std::size_t i = 0; i < readers.size() && periods > 0; ++i) {
    const std::uint64_t values = values_per_period[i];
    if (values == 0 || (sizes == Sizes::any && readers[i].size_of != SizeOf::none)) continue;
    std::uint64_t alike = readers[i].values.repeats(values) / values;
    if (sizes == Sizes::similar && readers[i].size_of != SizeOf::none &&
        alike < std::min(periods, readers[i].values.remaining() / values))
      alike =
          std::max(alike, periods_of_similar_sizes(readers[i].values, readers[i].size_of, values));
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
        is_enough(periods_alike(depth, taken, Sizes::similar)))
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
