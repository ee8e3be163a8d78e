// SPDX-License-Identifier: MIT
// Adding several values at once. Where each joins a bin, all join the bins as they are before the first of them (join_all); where one may become a bin of its own,
// they are added one by one, with weights and costs kept from one value to the next (OpenBins).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>

#include "trace-io/model/balanced_bins.hpp"
#include "trace-io/model/bin_weights.hpp"
#include "trace-io/model/distribution.hpp"

namespace reprise::trace_io {
namespace {

using Bin = Distribution::Bin;

constexpr std::uint32_t kUsualBins = 5, kMostBins = 15;
constexpr std::size_t kMostTogether = 16;  // that join bins together
constexpr std::int64_t kLongest =
    std::int64_t{1} << 30U;  // ns, of those: the sum of kMostTogether squares fits into a word

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

// A value joins the bin that it makes least dearer: of the bins next to it, with means a and b and n and m members, the lower one up to
//   a + (b − a)·√w(m) / (√w(n) + √w(m)), w(n) = n/(n+1),
// and becomes none of its own while that costs less than uniting any two. Here all join the bins as they are before the first of them; false, and no change,
// where one would not. No value waits for what became of the one before, which one by one is a chain of fifty cycles.
// REQUIRES: at least two bins, kSize unless that is 0; values and means are below kLongest.
template <std::size_t kSize>
bool join_all(std::span<const std::uint32_t> values, std::span<Bin> bins) {
  const std::size_t size = kSize > 0 ? kSize : bins.size();
  std::array<double, kMostBins> counts, means, with_one, roots;
  for (std::size_t i = 0; i < size; ++i) {
    counts[i] = static_cast<double>(static_cast<std::int64_t>(bins[i].count));
    means[i] = static_cast<double>(bins[i].sum) / counts[i];
    with_one[i] = counts[i] / (counts[i] + 1);
    roots[i] = std::sqrt(with_one[i]);
  }
  std::array<std::int32_t, kMostTogether> at{},
      into{};  // all of them, so that loops are of a known length
  std::copy(values.begin(), values.end(), at.begin());
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i + 1 < size; ++i) {
    least = std::min(least, cost_of_union({counts[i], means[i]}, {counts[i + 1], means[i + 1]}));
    const auto last = static_cast<std::int32_t>(
        means[i] + (means[i + 1] - means[i]) * (roots[i + 1] / (roots[i] + roots[i + 1])));
    for (std::size_t value = 0; value < kMostTogether; ++value)
      into[value] += at[value] > last ? 1 : 0;
  }
  std::array<std::uint64_t, kMostBins> joined;
  std::array<std::int64_t, kMostBins> sums;
  std::fill_n(joined.begin(), size, 0);
  std::fill_n(sums.begin(), size, 0);
  double dearest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto bin = static_cast<std::size_t>(into[i]);
    const double distance = means[bin] - static_cast<double>(at[i]);
    dearest = std::max(dearest, with_one[bin] * distance * distance);
    ++joined[bin];
    sums[bin] += at[i];
  }
  if (dearest >= least) return false;
  for (std::size_t i = 0; i < size; ++i) {
    bins[i].count += joined[i];
    bins[i].sum += sums[i];
  }
  return true;
}

bool join_all(std::span<const std::uint32_t> values, std::span<Bin> bins) {
  return bins.size() == kUsualBins ? join_all<kUsualBins>(values, bins) : join_all<0>(values, bins);
}

// What is known of values without their bins.
struct Summary {
  std::int64_t sum = 0;
  Wide squares = 0;
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max(), most = 0;
};

Summary summary_of(std::span<const std::uint32_t> values) {
  // Where all are short, sums of squares take one word, and the loops several values at a time. What is below 0 is 2³¹ and more.
  std::int32_t least = std::numeric_limits<std::int32_t>::max(), most = 0;
  for (const auto value : values) {
    least = std::min(least, static_cast<std::int32_t>(value));
    most = std::max(most, static_cast<std::int32_t>(value));
  }
  if (least >= 0 && most < kLongest && values.size() <= kMostTogether) {
    std::uint64_t sum = 0, squares = 0;
    for (const std::uint64_t value : values) {
      sum += value;
      squares += value * value;
    }
    return {static_cast<std::int64_t>(sum), squares, static_cast<std::uint32_t>(least),
            static_cast<std::uint32_t>(most)};
  }
  Summary all;
  for (const auto value : values) {
    all.sum += value;
    all.squares += Wide{value} * value;
    all.least = std::min(all.least, value);
    all.most = std::max(all.most, value);
  }
  return all;
}

}  // namespace

void Distribution::add_all(std::span<const std::uint32_t> durations, Rank rank) noexcept {
  const Summary all = summary_of(durations);
  const std::uint64_t count = count_ + durations.size();
  const bool fits =
      Wide{count} * all.most <= static_cast<Wide>(std::numeric_limits<std::int64_t>::max());
  if (balanced_ || bin_limit_ > kMostBins || durations.size() < 2 || !fits) {
    for (const auto duration : durations) add(Nanoseconds{duration}, rank);
    return;
  }
  const Extreme low{Nanoseconds{all.least}, rank}, high{Nanoseconds{all.most}, rank};
  if (count_ == 0 || low.is_below(min_)) min_ = low;
  if (count_ == 0 || high.is_above(max_)) max_ = high;
  sum_ += all.sum;
  squares_ = Squares::of(squares_.value() + all.squares);
  count_ = count;
  if (bin_limit_ == 0) return;
  cheapest_ = 0;
  const bool may_join = bins_.size() == bin_limit_ && bins_.size() > 1 &&
                        durations.size() <= kMostTogether && max_.value.value < kLongest;
  if (may_join && join_all(durations, bins_)) return;
  OpenBins open(bins_);
  for (const auto duration : durations) open.add(duration, bin_limit_);
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
