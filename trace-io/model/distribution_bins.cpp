// SPDX-License-Identifier: MIT
// Bins: adding a value, and uniting those of two distributions as they are (scaled_bins.cpp: as one shape).

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "trace-io/model/balanced_bins.hpp"
#include "trace-io/model/bin_weights.hpp"
#include "trace-io/model/distribution.hpp"
#include "trace-io/model/united_bins.hpp"

namespace reprise::trace_io {
namespace {

using Bin = Distribution::Bin;

double pair_cost(const std::vector<Bin>& bins, std::uint32_t upper) {
  return cost_of_union(weight_of(bins[upper - 1]), weight_of(bins[upper]));
}

std::uint32_t cheapest_pair(const std::vector<Bin>& bins) {
  std::uint32_t best = 1;
  double least = 0;
  BinWeight below = weight_of(bins[0]);  // each is needed twice, and is a division
  for (std::uint32_t upper = 1; upper < bins.size(); ++upper) {
    const BinWeight above = weight_of(bins[upper]);
    const double cost = cost_of_union(below, above);
    if (upper == 1 || cost < least) {
      least = cost;
      best = upper;
    }
    below = above;
  }
  return best;
}

// What uniting bins needs beside them, for as many as there are.
struct Workspace {
  std::span<BinWeight> weights;
  std::span<std::uint32_t> left;  // bins that are left, ascending
  std::span<double> costs;        // of each that is left with the one below
};

// Unites the cheapest pair, the lower one of equals, until at most `limit` bins are left, but one; returns how many there are, in front. Each union
// changes two costs.
std::size_t unite_cheapest(std::span<Bin> bins, const Workspace& work, std::size_t limit) {
  const std::span weights = work.weights;
  const std::span left = work.left;
  const std::span costs = work.costs;
  std::size_t size = bins.size();
  if (size <= std::max<std::size_t>(limit, 1)) return size;
  const auto cost_at = [&](std::size_t upper) {
    return cost_of_union(weights[left[upper - 1]], weights[left[upper]]);
  };
  for (std::size_t i = 0; i < size; ++i) {
    weights[i] = weight_of(bins[i]);
    left[i] = static_cast<std::uint32_t>(i);
  }
  for (std::size_t upper = 1; upper < size; ++upper) costs[upper] = cost_at(upper);
  while (size > limit && size > 1) {
    std::size_t best = 1;
    for (std::size_t upper = 2; upper < size; ++upper)
      if (costs[upper] < costs[best]) best = upper;
    Bin &lower = bins[left[best - 1]], &upper = bins[left[best]];
    lower.count += upper.count;
    lower.sum += upper.sum;
    weights[left[best - 1]] = weight_of(lower);
    --size;
    for (std::size_t i = best; i < size; ++i) {
      left[i] = left[i + 1];
      costs[i] = costs[i + 1];
    }
    for (const std::size_t changed : {best - 1, best})
      if (changed > 0 && changed < size) costs[changed] = cost_at(changed);
  }
  for (std::size_t i = 0; i < size; ++i) bins[i] = bins[left[i]];
  return size;
}

// Compared within this file without a call.
bool is_less(const Bin& a, const Bin& b) {
  return WideSigned{a.sum} * static_cast<WideSigned>(b.count) <
         WideSigned{b.sum} * static_cast<WideSigned>(a.count);
}

constexpr std::size_t kUsual = kMostUnited;  // bins of both sides

// The same where bins are few: they stay side by side, and the cheapest pair is found without a branch, which nobody could foresee.
std::size_t unite_cheapest_of_few(std::span<Bin> bins, std::size_t limit) {
  std::size_t size = bins.size();
  if (size <= std::max<std::size_t>(limit, 1)) return size;
  std::array<BinWeight, kUsual> weights;
  std::array<double, kUsual> costs;  // of each with the one below
  weights[0] = weight_of(bins[0]);
  for (std::size_t upper = 1; upper < size; ++upper) {
    weights[upper] = weight_of(bins[upper]);
    costs[upper] = cost_of_union(weights[upper - 1], weights[upper]);
  }
  while (size > limit && size > 1) {
    std::size_t best = 1;
    double least = costs[1];
    for (std::size_t upper = 2; upper < size; ++upper) {
      const bool is_cheaper = costs[upper] < least;
      best = is_cheaper ? upper : best;
      least = is_cheaper ? costs[upper] : least;
    }
    Bin& lower = bins[best - 1];
    lower.count += bins[best].count;
    lower.sum += bins[best].sum;
    weights[best - 1] = weight_of(lower);
    --size;
    for (std::size_t i = best; i < size; ++i) {
      bins[i] = bins[i + 1];
      weights[i] = weights[i + 1];
      costs[i] = costs[i + 1];
    }
    for (const std::size_t changed : {best - 1, best})
      if (changed > 0 && changed < size)
        costs[changed] = cost_of_union(weights[changed - 1], weights[changed]);
  }
  return size;
}

// Puts one more bin at its place and unites the cheapest pair, so that there are as many as before. Returns the pair that is cheapest then, which takes
// two costs more, or 0 where it is to be found. REQUIRES: at least two bins.
std::uint32_t insert_and_unite(std::vector<Bin>& bins, std::uint32_t place, const Bin& added) {
  constexpr std::size_t kInPlace = 16;
  const std::size_t size = bins.size() + 1;
  if (size > kInPlace) {
    bins.insert(bins.begin() + place, added);
    const std::uint32_t upper = cheapest_pair(bins);
    bins[upper - 1].count += bins[upper].count;
    bins[upper - 1].sum += bins[upper].sum;
    bins.erase(bins.begin() + upper);
    return 0;
  }
  std::array<Bin, kInPlace> all;
  std::array<BinWeight, kInPlace> weights;
  std::array<double, kInPlace> costs;
  std::copy_n(bins.begin(), place, all.begin());
  all[place] = added;
  std::copy(bins.begin() + place, bins.end(), all.begin() + place + 1);
  for (std::size_t i = 0; i < size; ++i) weights[i] = weight_of(all[i]);
  std::size_t best = 1;
  for (std::size_t upper = 1; upper < size; ++upper) {
    costs[upper] = cost_of_union(weights[upper - 1], weights[upper]);
    if (costs[upper] < costs[best]) best = upper;
  }
  all[best - 1].count += all[best].count;
  all[best - 1].sum += all[best].sum;
  weights[best - 1] = weight_of(all[best - 1]);
  for (std::size_t i = best; i + 1 < size; ++i) {
    all[i] = all[i + 1];
    weights[i] = weights[i + 1];
    costs[i] = costs[i + 1];
  }
  for (const std::size_t changed : {best - 1, best})
    if (changed > 0 && changed + 1 < size)
      costs[changed] = cost_of_union(weights[changed - 1], weights[changed]);
  std::copy_n(all.begin(), size - 1, bins.begin());
  std::size_t next = 1;
  for (std::size_t upper = 2; upper + 1 < size; ++upper)
    if (costs[upper] < costs[next]) next = upper;
  return static_cast<std::uint32_t>(next);
}

void unite_neighbours(std::vector<Bin>& bins, std::uint32_t upper) {
  bins[upper - 1].count += bins[upper].count;
  bins[upper - 1].sum += bins[upper].sum;
  bins.erase(bins.begin() + upper);
}

}  // namespace

bool bin_is_less(const Bin& a, const Bin& b) { return is_less(a, b); }

Wide least_squares(std::span<const Bin> bins) {
  Wide least = 0;
  for (const Bin& bin : bins) least += bin.least_squares();
  return least;
}

std::vector<Bin> united(std::span<const Bin> bins, std::size_t limit) {
  std::vector<Bin> result;
  for (const Bin& bin : bins)
    if (bin.count > 0) result.push_back(bin);
  result.resize(unite_cheapest_of_few(result, limit));
  return result;
}

// With the cheapest pair of neighbours known, a value mostly needs three costs, where it joins a bin next to it, rather than all.
void Distribution::add_to_bins(std::int64_t value) {
  // Most distributions of a large program are of one value.
  if (bins_.empty())
    bins_.reserve(1);
  else if (bins_.capacity() < bin_limit_)
    bins_.reserve(bin_limit_);
  const auto size = static_cast<std::uint32_t>(bins_.size());
  std::uint32_t place = 0;  // of the first bin whose mean is not below the value
  while (place < size && WideSigned{bins_[place].sum} <
                             WideSigned{value} * static_cast<WideSigned>(bins_[place].count))
    ++place;
  const bool is_mean =
      place < size && WideSigned{bins_[place].sum} ==
                          WideSigned{value} * static_cast<WideSigned>(bins_[place].count);
  const Bin added{1, value};

  if (!is_mean && size < bin_limit_) {
    bins_.insert(bins_.begin() + place, added);
    cheapest_ = 0;
    return;
  }
  std::uint32_t joined = place;
  BinWeight lower{}, upper{};  // of the bins next to the place, where they are looked at
  double rival = 0;            // what the cheapest pair costs
  const bool is_looked_at = !is_mean && size > 1;
  if (is_looked_at) {
    if (cheapest_ == 0) cheapest_ = cheapest_pair(bins_);
    const BinWeight own{1, static_cast<double>(value)};
    if (place > 0) lower = weight_of(bins_[place - 1]);
    if (place < size) upper = weight_of(bins_[place]);
    const double below = place > 0 ? cost_of_union(lower, own) : 0;
    const double above = place < size ? cost_of_union(own, upper) : 0;
    const bool joins_below = place > 0 && (place == size || below <= above);
    const double least = joins_below ? below : above;
    if (joins_below) joined = place - 1;
    // The pair that the value separates is no pair of neighbours any more: then all costs have to be looked at.
    rival = pair_cost(bins_, cheapest_);
    if (cheapest_ == place || rival < least || (rival == least && cheapest_ <= joined)) {
      cheapest_ = insert_and_unite(bins_, place, added);
      return;
    }
  } else if (!is_mean) {
    joined = 0;
  }
  ++bins_[joined].count;
  bins_[joined].sum += value;
  if (cheapest_ == joined || cheapest_ == joined + 1) cheapest_ = 0;
  if (cheapest_ == 0) return;
  // The two costs that have changed.
  if (!is_looked_at) rival = pair_cost(bins_, cheapest_);
  const BinWeight changed = weight_of(bins_[joined]);
  const auto compare = [&](std::uint32_t pair, double cost) {
    if (cost > rival || (cost == rival && pair >= cheapest_)) return;
    cheapest_ = pair;
    rival = cost;
  };
  if (joined > 0) {
    const bool is_known = is_looked_at && joined == place;
    compare(joined, cost_of_union(is_known ? lower : weight_of(bins_[joined - 1]), changed));
  }
  if (joined + 1 < size) {
    const bool is_known = is_looked_at && joined != place;
    compare(joined + 1, cost_of_union(changed, is_known ? upper : weight_of(bins_[joined + 1])));
  }
}

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
    if (!other.bins_.empty()) balanced_->merge(other.with_ranges());
  }
  if (other.min_.is_below(min_)) min_ = other.min_;
  if (other.max_.is_above(max_)) max_ = other.max_;
  count_ += other.count_;
  sum_ += other.sum_;
  squares_ = Squares::of(squares_.value() + other.squares_.value());
  if (balanced_) {
    balanced_->list(bins_);
    set_bin_limit(std::min(bin_limit_, other.bin_limit_));
    return;
  }
  bin_limit_ = std::min(bin_limit_, other.bin_limit_);
  merge_bins(other.bins_);
}

// REQUIRES: everything but the bins is united.
void Distribution::merge_bins(std::span<const Bin> others) {
  cheapest_ = 0;
  if (bin_limit_ == 0) return bins_.clear();
  const std::size_t size = bins_.size() + others.size();
  if (others.size() == 1 && bins_.size() == bin_limit_ && bins_.size() > 1) {
    const auto place = std::upper_bound(bins_.begin(), bins_.end(), others.front(), is_less);
    insert_and_unite(bins_, static_cast<std::uint32_t>(place - bins_.begin()), others.front());
    return;
  }
  const auto merge_into = [&](std::span<Bin> both, const auto& unite) {
    std::merge(bins_.begin(), bins_.end(), others.begin(), others.end(), both.begin(),
               [](const Bin& a, const Bin& b) { return is_less(a, b); });
    const std::size_t kept = unite(both);
    bins_.assign(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(kept));
  };
  if (size <= kUsual) {
    std::array<Bin, kUsual> both;
    return merge_into(std::span(both).first(size),
                      [&](std::span<Bin> bins) { return unite_cheapest_of_few(bins, bin_limit_); });
  }
  std::vector<Bin> both(size);
  std::vector<BinWeight> weights(size);
  std::vector<std::uint32_t> left(size);
  std::vector<double> costs(size);
  merge_into(both, [&](std::span<Bin> bins) {
    return unite_cheapest(bins, {weights, left, costs}, bin_limit_);
  });
}

// Fewer bins than before are made by Ward's rule, whatever the rule.
void Distribution::set_bin_limit(std::uint32_t limit) {
  if (limit < bin_limit_ && balanced_) balanced_->forget_ranges();
  bin_limit_ = limit;
  if (limit == 0) balanced_ = nullptr;
  merge_bins({});
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
