// SPDX-License-Identifier: MIT
// Recorded durations folded into counters: exact count, sum, sum of squares, extremes with their ranks, and k balanced bins.
//
// Cost    add: O(k), no allocation once k bins exist. merge: O(k log k). Memory: 16 bytes a bin.
// Exact   count, sum and sum of squares are integers (ns, ns²): exact, and independent of the order of adding and merging.
//         Every bin keeps the exact sum of its members, so replaying bin means keeps the total.
// Bins    Ward, the usual rule: a new value opens a bin; when there are more than k, the neighbouring pair whose union adds the
//         least variance, n1·n2/(n1+n2)·(m1−m2)², is merged (Ward 1963; ties: the lower pair); extremes are not bins of their own.
//         The balanced rules are in balanced_bins.hpp. k = 0 keeps no bins (timing `stat`). Bins do depend on the order of adding
//         and merging, and on what is added at once.
// Range   sums fit while they stay below 2⁶³ ns: 292 years, added up over all ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "trace-io/base/integers.hpp"
#include "trace-io/base/quantity.hpp"

namespace reprise::trace_io {

struct Extreme {
  Nanoseconds value{};
  Rank rank{};
  // Ties: the lower rank comes first on either side.
  bool is_below(const Extreme& other) const {
    return value == other.value ? rank < other.rank : value < other.value;
  }
  bool is_above(const Extreme& other) const {
    return value == other.value ? rank < other.rank : value > other.value;
  }
  friend bool operator==(const Extreme&, const Extreme&) = default;
};

// How values become bins. Either balanced rule, by how it splits (balanced_bins.hpp): as published, or keeping the variance.
enum class BinRule : std::uint8_t { ward, balanced, balanced_exact };

std::string_view name_of(BinRule);  // "ward", "balanced", "balanced_exact"
std::optional<BinRule> bin_rule_named(std::string_view);

class BalancedBins;

class Distribution {
 public:
  struct Bin {
    std::uint64_t count = 0;
    std::int64_t sum = 0;  // ns
    // The least sum of squares that durations of this count and sum can have.
    constexpr Wide least_squares() const {
      return static_cast<Wide>(sum) * static_cast<Wide>(sum) / count;
    }
    friend bool operator==(const Bin&, const Bin&) = default;
  };
  // ns², as two words so that it can be stored; value = high · 2⁶⁴ + low.
  struct Squares {
    std::uint64_t high = 0, low = 0;
    static constexpr Squares of(Wide value) {
      return {static_cast<std::uint64_t>(value >> 64U), static_cast<std::uint64_t>(value)};
    }
    constexpr Wide value() const { return (Wide{high} << 64U) | low; }
    friend bool operator==(const Squares&, const Squares&) = default;
  };

  explicit Distribution(std::uint32_t bin_limit = 0, BinRule = BinRule::ward);
  Distribution(const Distribution&);
  Distribution(Distribution&&) noexcept;
  Distribution& operator=(const Distribution&);
  Distribution& operator=(Distribution&&) noexcept;
  ~Distribution();
  // The parts as a file holds them. REQUIRES: consistent() of the result; readers check that and refuse.
  static Distribution from_parts(std::uint32_t bin_limit, std::uint64_t count, std::int64_t sum,
                                 Squares, Extreme min, Extreme max, std::vector<Bin> bins);
  // The same of a distribution that is there, whose memory is used again.
  void assign_parts(std::uint32_t bin_limit, std::uint64_t count, std::int64_t sum, Squares,
                    Extreme min, Extreme max, std::span<const Bin> bins);
  // Bins ascending by mean, their counts and sums add up, min ≤ mean ≤ max, … Scaled bins may lie beyond the extremes.
  bool consistent(bool bins_are_scaled = false) const;

  // How values become bins from now on; the bins stay as they are. Nothing to a distribution without bins.
  void follow(BinRule);

  void add(Nanoseconds, Rank) noexcept;  // REQUIRES: value ≥ 0
  // Several, ns. Where there are as many bins as may be, and each value would join one, all join the bins as they are before the first of them; else
  // they are added one after the other. Bins are as good as those of add(), all else is equal, for a ninth to a third of its instructions.
  void add_all(std::span<const std::uint32_t>, Rank) noexcept;
  // Ties of extremes: the lower rank. Unlike bin limits: the smaller one holds. Unlike rules: the own one holds.
  void merge(const Distribution&);
  // Likewise, but of durations with unlike means, which the reader will tell apart (RankScaleFactors in trace.hpp): the bins of either side are scaled
  // to the common mean first, so that they keep the shape and not the distance of the two, each side in the share of its time: outliers of an idle rank are
  // no reason to expect any of a busy one.
  void merge_scaled(const Distribution&);
  // Unites outer bins until all lie between the extremes.
  void pull_bins_in();

  std::uint32_t bin_limit() const { return bin_limit_; }
  BinRule rule() const;  // ward where there are no bins
  std::uint64_t count() const { return count_; }
  Nanoseconds sum() const { return Nanoseconds{sum_}; }
  Squares squares() const { return squares_; }
  Extreme min() const { return min_; }  // REQUIRES: count() > 0
  Extreme max() const { return max_; }
  double mean_ns() const;       // 0 where empty
  double variance_ns2() const;  // population variance, 0 where empty
  std::span<const Bin> bins() const { return bins_; }
  std::size_t range_bytes() const;  // memory that a balanced rule takes beside the bins
  friend bool operator==(const Distribution& a,
                         const Distribution& b);  // of the parts; a rule is none

 private:
  void add_to_bins(std::int64_t value);
  void add_to_balanced(std::int64_t value);
  void merge_bins(std::span<const Bin> others);
  BalancedBins with_ranges() const;
  void set_bin_limit(std::uint32_t);

  std::uint32_t bin_limit_;
  std::uint32_t cheapest_ =
      0;  // the pair (cheapest_ − 1, cheapest_) costs least to unite; 0: to be found. Follows from bins_
  std::uint64_t count_ = 0;
  std::int64_t sum_ = 0;
  Squares squares_;
  Extreme min_, max_;
  std::vector<Bin> bins_;
  std::unique_ptr<BalancedBins> balanced_;  // null: Ward's rule
};

// By their means, compared exactly.
bool bin_is_less(const Distribution::Bin&, const Distribution::Bin&);
// The least sum of squares that the bins allow.
Wide least_squares(std::span<const Distribution::Bin>);

}  // namespace reprise::trace_io
