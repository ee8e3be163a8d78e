// SPDX-License-Identifier: MIT
// Two distributions of unlike means as one shape: the bins of either side at the common mean, each side in the share of its time.

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "trace-io/model/balanced_bins.hpp"
#include "trace-io/model/distribution.hpp"

namespace reprise::trace_io {
namespace {

using Bin = Distribution::Bin;

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

// Counts in proportion that add up to `target`, by largest remainders (ties: the lower bin), at the means that were. A bin that gets
// none is left out.
std::vector<Bin> in_proportion(std::span<const Bin> bins, std::uint64_t count,
                               std::uint64_t target) {
  if (count == target) return {bins.begin(), bins.end()};
  std::vector<std::uint64_t> counts, remainders;
  std::uint64_t left = target;
  for (const Bin& bin : bins) {
    const Wide share = Wide{bin.count} * target;
    counts.push_back(static_cast<std::uint64_t>(share / count));
    remainders.push_back(static_cast<std::uint64_t>(share % count));
    left -= counts.back();
  }
  std::vector<std::size_t> order(bins.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
  for (std::size_t i = 0; i < left; ++i) ++counts[order[i]];
  std::vector<Bin> result;
  for (std::size_t i = 0; i < bins.size(); ++i)
    if (counts[i] > 0)
      result.push_back({counts[i], static_cast<std::int64_t>(static_cast<Wide>(bins[i].sum) *
                                                             counts[i] / bins[i].count)});
  return result;
}

// So many durations of that shape with that sum.
std::vector<Bin> shaped(const Distribution& as, std::uint64_t count, std::int64_t sum) {
  if (count == 0 || as.bins().empty()) return {};
  std::vector<Bin> bins = in_proportion(as.bins(), as.count(), count);
  std::int64_t unscaled = 0;
  for (const Bin& bin : bins) unscaled += bin.sum;
  if (unscaled == 0) return {{count, sum}};  // what was not 0 was too little to be counted
  scale(bins, unscaled, sum);
  return bins;
}

}  // namespace

void Distribution::merge_scaled(const Distribution& other) {
  const Wide sum = static_cast<Wide>(sum_) + static_cast<Wide>(other.sum_);
  if (count_ == 0 || other.count_ == 0 || sum == 0) return merge(other);
  const std::uint64_t count = count_ + other.count_;
  const auto own =
      static_cast<std::uint64_t>((Wide{count} * static_cast<Wide>(sum_) + sum / 2) / sum);
  const auto own_sum = static_cast<std::int64_t>(sum * own / count);
  std::vector<Bin> bins = shaped(*this, own, own_sum);
  Distribution scaled = other;
  scaled.bins_ = shaped(other, count - own, sum_ + other.sum_ - own_sum);
  for (const auto* one : {&balanced_, &scaled.balanced_})
    if (*one) (*one)->forget_ranges();
  if (bins.empty()) bins.swap(scaled.bins_);
  bins_ = std::move(bins);
  merge(scaled);
}

}  // namespace reprise::trace_io
