// SPDX-License-Identifier: MIT
// Adding to bins. With the cheapest pair of neighbours known, a value needs three costs in the usual case, where it joins a
// bin next to it, rather than all of them.
#include "trace-io/model/distribution_bins.hpp"

#include <algorithm>

namespace reprise::trace_io {
namespace {

__extension__ using Wide = __int128;
using Bin = Distribution::Bin;

// What the sum of squared deviations grows by.
double cost_of_union(const Bin& a, const Bin& b) {
  const double n1 = static_cast<double>(a.count), n2 = static_cast<double>(b.count);
  const double distance = static_cast<double>(a.sum) / n1 - static_cast<double>(b.sum) / n2;
  return n1 * n2 / (n1 + n2) * distance * distance;
}

double pair_cost(const std::vector<Bin>& bins, std::uint32_t upper) {
  return cost_of_union(bins[upper - 1], bins[upper]);
}

}  // namespace

bool bin_is_less(const Bin& a, const Bin& b) {
  return Wide{a.sum} * static_cast<Wide>(b.count) < Wide{b.sum} * static_cast<Wide>(a.count);
}

std::uint32_t cheapest_pair(const std::vector<Bin>& bins) {
  std::uint32_t best = 1;
  double least = pair_cost(bins, 1);
  for (std::uint32_t upper = 2; upper < bins.size(); ++upper) {
    const double cost = pair_cost(bins, upper);
    if (cost < least) {
      least = cost;
      best = upper;
    }
  }
  return best;
}

void unite_neighbours(std::vector<Bin>& bins, std::uint32_t upper) {
  bins[upper - 1].count += bins[upper].count;
  bins[upper - 1].sum += bins[upper].sum;
  bins.erase(bins.begin() + upper);
}

void Distribution::add_to_bins(std::int64_t value) {
  if (bins_.capacity() <= bin_limit_) bins_.reserve(bin_limit_ + std::size_t{1});
  const auto size = static_cast<std::uint32_t>(bins_.size());
  std::uint32_t place = 0;  // of the first bin whose mean is not below the value
  while (place < size &&
         Wide{bins_[place].sum} < Wide{value} * static_cast<Wide>(bins_[place].count))
    ++place;
  const bool is_mean =
      place < size && Wide{bins_[place].sum} == Wide{value} * static_cast<Wide>(bins_[place].count);
  const Bin added{1, value};

  if (!is_mean && size < bin_limit_) {
    bins_.insert(bins_.begin() + place, added);
    cheapest_ = 0;
    return;
  }
  std::uint32_t joined = place;
  if (!is_mean && size > 1) {
    if (cheapest_ == 0) cheapest_ = cheapest_pair(bins_);
    const double below = place > 0 ? cost_of_union(bins_[place - 1], added) : 0;
    const double above = place < size ? cost_of_union(added, bins_[place]) : 0;
    const bool joins_below = place > 0 && (place == size || below <= above);
    const double least = joins_below ? below : above;
    if (joins_below) joined = place - 1;
    // The pair that the value separates is no pair of neighbours any more: then all costs have to be looked at.
    const double rival = pair_cost(bins_, cheapest_);
    if (cheapest_ == place || rival < least || (rival == least && cheapest_ <= joined)) {
      bins_.insert(bins_.begin() + place, added);
      unite_neighbours(bins_, cheapest_pair(bins_));
      cheapest_ = 0;
      return;
    }
  } else if (!is_mean) {
    joined = 0;
  }
  ++bins_[joined].count;
  bins_[joined].sum += value;
  if (cheapest_ == joined || cheapest_ == joined + 1) cheapest_ = 0;
  if (cheapest_ == 0) return;
  for (const std::uint32_t upper : {joined, joined + 1}) {  // the two costs that have changed
    if (upper == 0 || upper >= size) continue;
    const double cost = pair_cost(bins_, upper), least = pair_cost(bins_, cheapest_);
    if (cost < least || (cost == least && upper < cheapest_)) cheapest_ = upper;
  }
}

}  // namespace reprise::trace_io
