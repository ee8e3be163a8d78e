// SPDX-License-Identifier: MIT
#include "trace-io/model/balanced_bins.hpp"

#include <algorithm>
#include <cmath>

namespace reprise::trace_io {
namespace {

using Bin = Distribution::Bin;

constexpr std::uint64_t kBalanceShare = 10;  // balance when 1/10 of the values are new …
constexpr std::uint64_t kFewestBetween = 8;  // … but not more often than every 8 values
constexpr std::uint64_t kFewestToSplit = 4;

std::uint64_t balancing_after(std::uint64_t count) {
  return count + std::max(kFewestBetween, count / kBalanceShare);
}

double mean_of(const Bin& bin) {
  return static_cast<double>(bin.sum) / static_cast<double>(bin.count);
}
WideSigned times(std::uint64_t count, std::int64_t value) {
  return static_cast<WideSigned>(count) * value;
}

}  // namespace

void BalancedBins::make_ranges(std::span<const Bin> bins, std::int64_t min, std::int64_t max,
                               double within, std::uint32_t limit) {
  ranges_.clear();
  count_ = 0;
  std::int64_t edge = 0;
  double widths = 0;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const Bin& bin = bins[i];
    const auto count = static_cast<std::int64_t>(bin.count);
    if (i == 0) min_ = std::min(min, bin.sum / count);
    std::int64_t high = std::max(max, bin.sum / count + (bin.sum % count > 0 ? 1 : 0));
    if (i + 1 < bins.size())
      high = static_cast<std::int64_t>((mean_of(bin) + mean_of(bins[i + 1])) / 2);
    high = std::max(high, edge);
    ranges_.push_back(
        {edge, high, bin, static_cast<double>(high - edge) * static_cast<double>(high - edge)});
    widths += static_cast<double>(bin.count) * ranges_.back().squares;
    edge = high;
    count_ += bin.count;
  }
  max_ = ranges_.back().high;
  for (Range& range : ranges_)
    range.squares *= widths > 0 ? static_cast<double>(range.bin.count) * within / widths : 0;
  while (ranges_.size() < limit) {  // as many as there are to be: the widest ones are halved
    const auto widest = std::max_element(
        ranges_.begin(), ranges_.end(),
        [](const Range& a, const Range& b) { return a.high - a.low < b.high - b.low; });
    if (widest->high - widest->low < 2) break;
    const std::int64_t middle = widest->low + (widest->high - widest->low) / 2;
    Range lower{widest->low, middle, {}, 0}, upper{middle, widest->high, {}, 0};
    Range& holder = times(widest->bin.count, middle) < WideSigned{widest->bin.sum} ? upper : lower;
    holder.bin = widest->bin;
    holder.squares = widest->squares;
    *widest = lower;
    ranges_.insert(widest + 1, upper);
  }
  next_balancing_ = balancing_after(count_);
}

void BalancedBins::add(std::int64_t value, std::uint32_t limit) {
  if (ranges_.empty()) {
    const auto edge = [&](std::uint32_t i) {
      return value == 0 ? std::int64_t{i} : static_cast<std::int64_t>(times(i, value) * 2 / limit);
    };
    for (std::uint32_t i = 0; i < limit; ++i) ranges_.push_back({edge(i), edge(i + 1), {}, 0});
    min_ = max_ = value;
    next_balancing_ = balancing_after(0);
  }
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
  add_part({value, value, {1, value}, 0});
}

void BalancedBins::merge(const BalancedBins& other) {
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  for (const Range& range : other.ranges_)
    if (range.bin.count > 0) add_part(range);
}

void BalancedBins::add_part(const Range& part) {
  ranges_.back().high = std::max(ranges_.back().high, max_);
  std::size_t place = 0;
  while (place + 1 < ranges_.size() &&
         times(part.bin.count, ranges_[place].high) < WideSigned{part.bin.sum})
    ++place;
  Range& range = ranges_[place];
  if (range.bin.count >
      0) {  // Chan, Golub, LeVeque: Algorithms for Computing the Sample Variance, 1983
    const double n = static_cast<double>(range.bin.count), m = static_cast<double>(part.bin.count);
    const double apart = mean_of(range.bin) - mean_of(part.bin);
    range.squares += part.squares + apart * apart * n * m / (n + m);
  } else {
    range.squares = part.squares;
  }
  range.bin.count += part.bin.count;
  range.bin.sum += part.bin.sum;
  count_ += part.bin.count;
  for (; count_ >= next_balancing_; next_balancing_ = balancing_after(next_balancing_)) balance();
}

void BalancedBins::balance() {
  const auto fullest = static_cast<std::size_t>(
      std::max_element(ranges_.begin(), ranges_.end(),
                       [](const Range& a, const Range& b) { return a.bin.count < b.bin.count; }) -
      ranges_.begin());
  if (!can_split(ranges_[fullest])) return;
  const std::size_t lower = lower_of_small_pair(fullest);
  if (lower == ranges_.size()) return;
  unite_with_next(lower);
  split(lower < fullest ? fullest - 1 : fullest);
}

std::size_t BalancedBins::lower_of_small_pair(std::size_t fullest) const {
  std::size_t best = ranges_.size();
  std::uint64_t least = ranges_[fullest].bin.count;
  for (std::size_t i = 0; i + 1 < ranges_.size(); ++i) {
    if (i == fullest || i + 1 == fullest) continue;
    const std::uint64_t together = ranges_[i].bin.count + ranges_[i + 1].bin.count;
    if (together > least || (together == least && best != ranges_.size())) continue;
    least = together;
    best = i;
  }
  return best;
}

void BalancedBins::unite_with_next(std::size_t lower) {
  Range& a = ranges_[lower];
  const Range& b = ranges_[lower + 1];
  if (a.bin.count > 0 && b.bin.count > 0) {
    const double n = static_cast<double>(a.bin.count), m = static_cast<double>(b.bin.count);
    const double apart = mean_of(a.bin) - mean_of(b.bin);
    a.squares += apart * apart * n * m / (n + m);
  }
  a.squares += b.squares;
  a.bin.count += b.bin.count;
  a.bin.sum += b.bin.sum;
  a.high = b.high;
  ranges_.erase(ranges_.begin() + static_cast<std::ptrdiff_t>(lower) + 1);
}

// The two means have to stay inside the parts, and inside the extremes.
BalancedBins::SumBelow BalancedBins::sum_below(const Range& range) const {
  const std::uint64_t below = range.bin.count / 2, above = range.bin.count - below;
  const std::int64_t mean = range.bin.sum / static_cast<std::int64_t>(range.bin.count);
  return {std::max(times(below, std::max(range.low, min_)),
                   range.bin.sum - times(above, std::min(range.high, max_))),
          times(below, mean)};
}

bool BalancedBins::can_split(const Range& range) const {
  if (range.bin.count < kFewestToSplit) return false;
  const std::int64_t mean = range.bin.sum / static_cast<std::int64_t>(range.bin.count);
  const SumBelow possible = sum_below(range);
  return range.low < mean && mean < range.high && possible.least <= possible.most;
}

void BalancedBins::split(std::size_t place) {
  const Range whole = ranges_[place];
  const std::uint64_t count = whole.bin.count, below = count / 2, above = count - below;
  const std::int64_t edge = whole.bin.sum / static_cast<std::int64_t>(count);
  const double deviation = std::sqrt(std::max(0.0, whole.squares) / static_cast<double>(count));
  const double shift = deviation * (rule_ == BinRule::balanced ? 0.5 : std::sqrt(0.75));
  const SumBelow possible = sum_below(whole);
  const auto wanted =
      static_cast<WideSigned>(static_cast<double>(below) * (mean_of(whole.bin) - shift));
  const WideSigned sum = std::clamp(wanted, possible.least, possible.most);
  const auto part = [&](std::int64_t low, std::int64_t high, std::uint64_t n, WideSigned its_sum) {
    return Range{low,
                 high,
                 {n, static_cast<std::int64_t>(its_sum)},
                 static_cast<double>(n) * deviation * deviation / 4};
  };
  ranges_[place] = part(whole.low, edge, below, sum);
  ranges_.insert(ranges_.begin() + static_cast<std::ptrdiff_t>(place) + 1,
                 part(edge, whole.high, above, whole.bin.sum - sum));
}

void BalancedBins::list(std::vector<Bin>& bins) const {
  bins.clear();
  for (const Range& range : ranges_)
    if (range.bin.count > 0) bins.push_back(range.bin);
  if (!std::is_sorted(bins.begin(), bins.end(), bin_is_less))
    std::stable_sort(bins.begin(), bins.end(), bin_is_less);
}

}  // namespace reprise::trace_io
