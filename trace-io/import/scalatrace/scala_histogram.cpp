// SPDX-License-Identifier: MIT
#include "trace-io/import/scalatrace/scala_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace reprise::trace_io {
namespace {

constexpr double kMostSum = 4.6e18;  // below 2^62

std::int64_t rounded(double value) { return std::llround(value); }

// `whole` elements divided like `parts`, whose sum is `all`: rounded down, what is left to those that lost most.
std::vector<std::uint64_t> divided(std::uint64_t whole, const std::vector<std::uint64_t>& parts,
                                   std::uint64_t all) {
  std::vector<std::uint64_t> shares(parts.size());
  std::vector<std::pair<std::uint64_t, std::size_t>> rests;
  std::uint64_t given = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Wide product = Wide{parts[i]} * whole;
    shares[i] = static_cast<std::uint64_t>(product / all);
    rests.emplace_back(static_cast<std::uint64_t>(product % all), i);
    given += shares[i];
  }
  std::sort(rests.begin(), rests.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  for (std::size_t i = 0; given < whole; ++i, ++given) ++shares[rests[i].second];
  return shares;
}

std::vector<std::uint64_t> counts_of(const std::vector<Distribution::Bin>& bins) {
  std::vector<std::uint64_t> counts;
  for (const auto& bin : bins) counts.push_back(bin.count);
  return counts;
}

}  // namespace

double ScalaHistogram::mean() const {
  double sum = 0;
  for (const Bin& bin : bins) sum += bin.average * static_cast<double>(bin.count);
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

bool HistogramShares::sums_fit(const ScalaHistogram& histogram, double unit,
                               std::uint64_t elements) {
  return histogram.max * unit * static_cast<double>(elements) < kMostSum;
}

HistogramShares::HistogramShares(const ScalaHistogram& histogram, double unit,
                                 std::uint64_t elements)
    : elements_left_(elements), is_whole_(histogram.count == elements) {
  std::vector<std::uint64_t> counts;
  for (const auto& bin : histogram.bins) counts.push_back(bin.count);
  counts = divided(elements, counts, histogram.count);
  Wide squares = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const auto& bin = histogram.bins[i];
    left_.push_back({counts[i], rounded(bin.average * unit * static_cast<double>(counts[i]))});
    // The least that its extremes allow: one element at each of them, the others at what is then their mean.
    const std::int64_t low = rounded(bin.min * unit), high = rounded(bin.max * unit),
                       others = left_.back().sum - low - high;
    Wide least = left_.back().least_squares();
    if (counts[i] > 2 && others >= 0)
      least = std::max(least,
                       static_cast<Wide>(low) * static_cast<Wide>(low) +
                           static_cast<Wide>(high) * static_cast<Wide>(high) +
                           static_cast<Wide>(others) * static_cast<Wide>(others) / (counts[i] - 2));
    squares += least;
  }
  std::sort(left_.begin(), left_.end(), bin_is_less);
  squares_ = Distribution::Squares::of(squares);
  min_ = {Nanoseconds{rounded(histogram.min * unit)}, histogram.min_rank};
  max_ = {Nanoseconds{rounded(histogram.max * unit)}, histogram.max_rank};
}

Distribution HistogramShares::taken(std::uint64_t count, std::uint32_t bin_limit, Rank somebody) {
  const bool is_all = is_whole_ && count == elements_left_;
  is_whole_ = false;
  const auto counts = divided(count, counts_of(left_), elements_left_);
  std::vector<Distribution::Bin> bins;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < left_.size(); ++i) {
    auto& from = left_[i];
    if (counts[i] == 0) continue;
    const auto part =
        static_cast<std::int64_t>(static_cast<Wide>(from.sum) * counts[i] / from.count);
    bins.push_back({counts[i], part});
    sum += part;
    from.count -= counts[i];
    from.sum -= part;
  }
  std::erase_if(left_, [](const auto& bin) { return bin.count == 0; });
  elements_left_ -= count;
  std::sort(bins.begin(), bins.end(), bin_is_less);
  const auto floor_of = [](const Distribution::Bin& bin) {
    return bin.sum / static_cast<std::int64_t>(bin.count);
  };
  const auto& last = bins.back();
  const std::int64_t ceiling =
      floor_of(last) + (last.sum % static_cast<std::int64_t>(last.count) != 0);
  Extreme low{Nanoseconds{floor_of(bins.front())}, somebody}, high{Nanoseconds{ceiling}, somebody};
  auto squares = Distribution::Squares::of(least_squares(bins));
  if (is_all && min_.value <= low.value && max_.value >= high.value) {
    low = min_, high = max_;
    // Rounded means may allow less than rounded extremes do.
    const Wide most = static_cast<Wide>(high.value.value) * static_cast<Wide>(sum);
    if (squares_.value() <= most) squares = squares_;
  }
  const auto limit = static_cast<std::uint32_t>(bins.size());
  auto whole = Distribution::from_parts(std::max(limit, bin_limit), count, sum, squares, low, high,
                                        std::move(bins));
  if (limit <= bin_limit) return whole;
  Distribution limited(bin_limit);
  limited.merge(whole);
  return limited;
}

}  // namespace reprise::trace_io
