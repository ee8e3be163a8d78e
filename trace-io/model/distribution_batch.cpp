// SPDX-License-Identifier: MIT
// Adding several values at once: the same bins as one by one, with weights and costs kept from one value to the next.
#include <algorithm>
#include <array>
#include <limits>
#include <new>

#include "trace-io/model/balanced_bins.hpp"
#include "trace-io/model/bin_weights.hpp"
#include "trace-io/model/distribution.hpp"

namespace reprise::trace_io {
namespace {

using Bin = Distribution::Bin;

constexpr std::uint32_t kMostBins = 15;

// Each part of the bins apart: what is written word by word is read so.
class OpenBins {
 public:
  explicit OpenBins(std::span<const Bin> bins) : size_(static_cast<std::uint32_t>(bins.size())) {
    for (std::uint32_t i = 0; i < size_; ++i) put(i, bins[i]);
    for (std::uint32_t upper = 1; upper < size_; ++upper) find_cost(upper);
  }

  std::uint32_t size() const { return size_; }
  Bin bin(std::uint32_t i) const { return {static_cast<std::uint64_t>(counts_[i]), sums_[i]}; }

  // REQUIRES: value times the count of any bin fits.
  void add(std::int64_t value, std::uint32_t limit) {
    std::uint32_t place = 0;  // of the first bin whose mean is not below the value
    for (std::uint32_t i = 0; i < size_; ++i) place += sums_[i] < value * counts_[i] ? 1 : 0;
    if (place < size_ && sums_[place] == value * counts_[place]) return join(place, value);
    if (size_ < limit) return insert(place, value);
    if (size_ == 1) return join(0, value);
    constexpr double kNever = std::numeric_limits<double>::infinity();
    const BinWeight own{1, static_cast<double>(value)};
    const double below = place > 0 ? cost_of_union(weight(place - 1), own) : kNever;
    const double above = place < size_ ? cost_of_union(own, weight(place)) : kNever;
    // The lower one of equal pairs, those with the new value counted at its place; the pair that it separates is none, and changes in any case.
    costs_[place] = kNever;
    std::uint32_t best = 0;
    double least = kNever;
    for (std::uint32_t upper = 1; upper < size_; ++upper) {
      const bool is_cheaper = costs_[upper] < least;
      best = is_cheaper ? upper : best;
      least = is_cheaper ? costs_[upper] : least;
    }
    const double joined = std::min(below, above);
    if (best == 0 || joined < least || (joined == least && best > place))
      return join(below <= above ? place - 1 : place, value);
    put(best - 1, {static_cast<std::uint64_t>(counts_[best - 1] + counts_[best]),
                   sums_[best - 1] + sums_[best]});
    move(best, place, value);
  }

 private:
  BinWeight weight(std::uint32_t i) const { return {weights_[i], means_[i]}; }
  void find_cost(std::uint32_t upper) {
    costs_[upper] = cost_of_union(weight(upper - 1), weight(upper));
  }
  void find_costs_of(std::uint32_t changed) {
    if (changed > 0) find_cost(changed);
    if (changed + 1 < size_) find_cost(changed + 1);
  }
  void put(std::uint32_t place, const Bin& bin) {
    counts_[place] = static_cast<std::int64_t>(bin.count);
    sums_[place] = bin.sum;
    const BinWeight weight = weight_of(bin);
    weights_[place] = weight.count;
    means_[place] = weight.mean;
  }
  void join(std::uint32_t place, std::int64_t value) {
    put(place, {static_cast<std::uint64_t>(counts_[place]) + 1, sums_[place] + value});
    find_costs_of(place);
  }
  void shift(std::uint32_t to, std::uint32_t from) {
    counts_[to] = counts_[from];
    sums_[to] = sums_[from];
    weights_[to] = weights_[from];
    means_[to] = means_[from];
    costs_[to] = costs_[from];
  }
  void insert(std::uint32_t place, std::int64_t value) {
    for (std::uint32_t i = size_; i > place; --i) shift(i, i - 1);
    ++size_;
    put(place, {1, value});
    find_costs_of(place);
  }
  // Bin `gone` is in the one below it; the value becomes one in front of bin `place`, as they are numbered with `gone`.
  void move(std::uint32_t gone, std::uint32_t place, std::int64_t value) {
    const bool is_above = place > gone;
    const std::uint32_t own = is_above ? place - 1 : place, united = is_above ? gone - 1 : gone;
    if (is_above)
      for (std::uint32_t i = gone; i < own; ++i) shift(i, i + 1);
    else
      for (std::uint32_t i = gone; i > own; --i) shift(i, i - 1);
    put(own, {1, value});
    find_costs_of(own);
    find_costs_of(united);
  }

  std::uint32_t size_;
  std::array<std::int64_t, kMostBins> counts_, sums_;
  std::array<double, kMostBins> weights_, means_;
  std::array<double, kMostBins + 1> costs_;  // of each with the one below
};

}  // namespace

void Distribution::add_all(std::span<const std::uint32_t> durations, Rank rank) noexcept {
  Wide squares = squares_.value();
  std::int64_t sum = sum_;
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max(), most = 0;
  for (const auto duration : durations) {
    sum += duration;
    squares += Wide{duration} * duration;
    least = std::min(least, duration);
    most = std::max(most, duration);
  }
  const std::uint64_t count = count_ + durations.size();
  const bool fits =
      Wide{count} * most <= static_cast<Wide>(std::numeric_limits<std::int64_t>::max());
  if (balanced_ || bin_limit_ > kMostBins || durations.size() < 2 || !fits) {
    for (const auto duration : durations) add(Nanoseconds{duration}, rank);
    return;
  }
  const Extreme low{Nanoseconds{least}, rank}, high{Nanoseconds{most}, rank};
  if (count_ == 0 || low.is_below(min_)) min_ = low;
  if (count_ == 0 || high.is_above(max_)) max_ = high;
  sum_ = sum;
  squares_ = Squares::of(squares);
  count_ = count;
  if (bin_limit_ == 0) return;
  OpenBins open(bins_);
  for (const auto duration : durations) open.add(duration, bin_limit_);
  cheapest_ = 0;
  try {
    // Most distributions of a large program are of one value.
    if (open.size() > bins_.capacity()) bins_.reserve(open.size() == 1 ? 1 : bin_limit_);
    bins_.resize(open.size());
  } catch (const std::bad_alloc&) {  // as add() does
    bins_ = {};
    bin_limit_ = 0;
    return;
  }
  for (std::uint32_t i = 0; i < open.size(); ++i) bins_[i] = open.bin(i);
}

}  // namespace reprise::trace_io
