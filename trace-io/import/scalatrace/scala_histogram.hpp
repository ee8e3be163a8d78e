// SPDX-License-Identifier: MIT
// A histogram of ScalaTrace, and distributions made of it.
//
// Form      (COUNT AVERAGE MIN_RANK MIN MAX_RANK MAX){START MIN AVERAGE MAX END COUNT}… with two decimals.
// Average   that of the whole is not used: ScalaTrace counts the newest element once too often in it (Histogram.h, update_avg). Those of
//           the bins are right, and what they add up to is kept.
// Parts     a record's histogram is of all ranks and loops that make the call. taken() hands its elements out to these in turn:
//           each gets its number of elements, of every bin its share, and the last one what is left, so that nothing is lost or made up.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/model/distribution.hpp"

namespace reprise::trace_io {

struct ScalaHistogram {
  struct Bin {
    double min = 0, average = 0, max = 0;
    std::uint64_t count = 0;
  };
  std::uint64_t count = 0;
  double min = 0, max = 0;
  Rank min_rank, max_rank;
  std::vector<Bin> bins;  // those with elements, ascending

  double mean() const;  // of the bins
};

class HistogramShares {
 public:
  // `unit`: nanoseconds in one of the histogram's. `elements`: how many are going to be taken; where the histogram has another
  // number of them, its bins grow or shrink alike. REQUIRES: sums_fit().
  HistogramShares(const ScalaHistogram&, double unit, std::uint64_t elements);
  // Whether all sums stay below 2⁶² ns.
  static bool sums_fit(const ScalaHistogram&, double unit, std::uint64_t elements);
  // So many elements, with at most `bins` bins. Extremes are those of the histogram where it is taken as a whole, else those of the
  // bins' means: `somebody` has them. REQUIRES: count ≥ 1, and not more than are left.
  Distribution taken(std::uint64_t count, std::uint32_t bins, Rank somebody);

 private:
  std::vector<Distribution::Bin> left_;
  std::uint64_t elements_left_;
  // Of the whole:
  bool is_whole_;
  Extreme min_, max_;
  Distribution::Squares squares_;
};

}  // namespace reprise::trace_io
