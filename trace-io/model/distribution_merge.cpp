// SPDX-License-Identifier: MIT
// Uniting distributions, with their bins as they are or scaled to a common mean.
#include <algorithm>
#include <iterator>
#include <utility>

#include "trace-io/model/balanced_bins.hpp"
#include "trace-io/model/distribution.hpp"
#include "trace-io/model/distribution_bins.hpp"

namespace reprise::trace_io {
namespace {

__extension__ using Wide = unsigned __int128;
using Bin = Distribution::Bin;

bool is_better(const Extreme& candidate, const Extreme& held, bool lower) {
  if (candidate.value == held.value) return candidate.rank < held.rank;
  return (candidate.value < held.value) == lower;
}

Distribution::Squares added(Distribution::Squares a, Distribution::Squares b) {
  Distribution::Squares sum{a.high + b.high, a.low + b.low};
  if (sum.low < a.low) ++sum.high;
  return sum;
}

// Cumulated sums are scaled and rounded down, so that the last one is `target` exactly. REQUIRES: sum > 0.
void scale(std::vector<Bin>& bins, std::int64_t sum, std::int64_t target) {
  Wide before = 0;
  std::int64_t scaled_before = 0;
  for (Bin& bin : bins) {
    before += static_cast<Wide>(bin.sum);
    const auto scaled =
        static_cast<std::int64_t>(before * static_cast<Wide>(target) / static_cast<Wide>(sum));
    bin.sum = scaled - scaled_before;
    scaled_before = scaled;
  }
  std::stable_sort(bins.begin(), bins.end(),
                   bin_is_less);  // rounding may swap bins of almost equal means
}

}  // namespace

void Distribution::merge(const Distribution& other) {
  if (other.count_ == 0) return;
  if (count_ == 0) {
    const std::uint32_t limit = std::min(bin_limit_, other.bin_limit_);
    const BinRule own_rule = rule();
    *this = other;
    follow(own_rule);
    set_bin_limit(limit);
    return;
  }
  if (balanced_) {
    if (!balanced_->has_ranges()) *balanced_ = with_ranges();
    balanced_->take_in(other.with_ranges());
  }
  if (is_better(other.min_, min_, true)) min_ = other.min_;
  if (is_better(other.max_, max_, false)) max_ = other.max_;
  count_ += other.count_;
  sum_ += other.sum_;
  squares_ = added(squares_, other.squares_);
  if (balanced_) {
    balanced_->list(bins_);
    set_bin_limit(std::min(bin_limit_, other.bin_limit_));
    return;
  }
  bin_limit_ = std::min(bin_limit_, other.bin_limit_);
  std::vector<Bin> others = other.bins_;
  merge_bins(others);
}

void Distribution::merge_scaled(const Distribution& other) {
  if (sum_ == 0 || other.sum_ == 0) return merge(other);
  const Wide sum = static_cast<Wide>(sum_) + static_cast<Wide>(other.sum_);
  const auto own = static_cast<std::int64_t>(sum * count_ / (count_ + other.count_));
  const std::int64_t rest = sum_ + other.sum_ - own;
  scale(bins_, sum_, own);
  Distribution scaled = other;
  scale(scaled.bins_, other.sum_, rest);
  for (const auto* one : {&balanced_, &scaled.balanced_})
    if (*one) (*one)->forget_ranges();
  merge(scaled);
}

// REQUIRES: everything but the bins is united.
void Distribution::merge_bins(std::vector<Bin>& others) {
  std::vector<Bin> both;
  both.reserve(bins_.size() + others.size());
  std::merge(bins_.begin(), bins_.end(), others.begin(), others.end(), std::back_inserter(both),
             bin_is_less);
  bins_ = std::move(both);
  cheapest_ = 0;
  if (bin_limit_ == 0) bins_.clear();
  while (bins_.size() > bin_limit_ && bins_.size() > 1)
    unite_neighbours(bins_, cheapest_pair(bins_));
}

// Fewer bins than before are made by Ward's rule, whatever the rule.
void Distribution::set_bin_limit(std::uint32_t limit) {
  if (limit < bin_limit_ && balanced_) balanced_->forget_ranges();
  bin_limit_ = limit;
  if (limit == 0) balanced_ = nullptr;
  std::vector<Bin> none;
  merge_bins(none);
}

void Distribution::pull_bins_in() {
  const auto below = [&](const Bin& bin) {
    return static_cast<Wide>(bin.sum) < Wide{bin.count} * static_cast<Wide>(min_.value.value);
  };
  const auto above = [&](const Bin& bin) {
    return static_cast<Wide>(bin.sum) > Wide{bin.count} * static_cast<Wide>(max_.value.value);
  };
  while (bins_.size() > 1 && below(bins_.front())) unite_neighbours(bins_, 1);
  while (bins_.size() > 1 && above(bins_.back()))
    unite_neighbours(bins_, static_cast<std::uint32_t>(bins_.size()) - 1);
  cheapest_ = 0;
  if (balanced_) balanced_->forget_ranges();
}

}  // namespace reprise::trace_io
