// SPDX-License-Identifier: MIT
// The dynamically balanced histogram: a fixed number of ranges that follow the values so that each holds about as many.
//
// Rule    The first value v is taken for the middle: k ranges of equal width from 0 to 2v (of 1 ns each where v = 0). A value counts
//         in the first range that has it; beyond the last range, that one grows. Each time a tenth more values have come (8 at
//         least), two small neighbours, whose counts together and apart are at most that of the fullest range, become
//         one, and the fullest range is cut in two at its mean. The pair is the one with the fewest values; ties: the lower.
// Split   The values of a range are not known any more. Each side gets half of the count and a mean `shift` of a standard
//         deviation from the old one: 1/2 as published, or √3/2, which keeps the variance of evenly spread values. Either side's own
//         deviation is half the old. Sums stay exact: the upper side gets the rest of the sum.
// Merge   The other histogram's ranges are added with their counts and means, as if they were values: O(k), balancing on the way.
// Source  Ratn, Mueller, de Supinski, Schulz: Preserving Time in Large-Scale Communication Traces, ICS 2008, §3.2. It names no
//         thresholds, lets the split lose half of the variance, and adds values one by one in the merge.
// Cost    add: O(k), no allocation. Memory: 40 bytes a range.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "trace-io/model/distribution.hpp"

namespace reprise::trace_io {

class BalancedBins {
 public:
  // REQUIRES: a balanced rule.
  explicit BalancedBins(BinRule rule) : rule_(rule) {}

  BinRule rule() const { return rule_; }
  // Whether there are ranges. A distribution that was read or scaled has bins only; `make_ranges` makes ranges around them.
  bool has_ranges() const { return !ranges_.empty(); }
  void forget_ranges() { ranges_.clear(); }

  // The bins' means lie in ranges that end half-way between them; `within` is the sum of squared deviations from the means, told over
  // the bins by n · width². REQUIRES: bins that are not empty, ascending, at most `limit`.
  void make_ranges(std::span<const Distribution::Bin> bins, std::int64_t min, std::int64_t max,
                   double within, std::uint32_t limit);
  // REQUIRES: has_ranges(), but for the very first value; limit ≥ 1.
  void add(std::int64_t value, std::uint32_t limit);
  void merge(const BalancedBins& other);  // REQUIRES: both have ranges

  std::size_t memory_bytes() const { return sizeof *this + ranges_.capacity() * sizeof(Range); }
  // The ranges that hold something, ascending by mean.
  void list(std::vector<Distribution::Bin>&) const;

 private:
  struct Range {
    std::int64_t low = 0, high = 0;  // ns; neighbours share the value between them
    Distribution::Bin bin;
    double squares = 0;  // of deviations from the mean, by the rule
  };

  struct SumBelow {
    WideSigned least = 0, most = 0;  // of the half of a range's values that go below its mean
  };

  void add_part(const Range&);
  void balance();
  std::size_t lower_of_small_pair(std::size_t fullest) const;  // ranges_.size() where there is none
  void unite_with_next(std::size_t lower);
  SumBelow sum_below(const Range&) const;
  bool can_split(const Range&) const;
  void split(std::size_t place);

  BinRule rule_;
  std::vector<Range> ranges_;
  std::int64_t min_ = 0, max_ = 0;
  std::uint64_t count_ = 0, next_balancing_ = 0;
};

}  // namespace reprise::trace_io
