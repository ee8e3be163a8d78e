// SPDX-License-Identifier: MIT
// Who did what when: computing, communicating and waiting of rows of ranks over bins of time, in bounded memory.
//
// Rows   at most 64: of one rank each, or of as many neighbouring ranks as it takes.
// Bins   at most 200, of one width, a power of two. It is doubled, and neighbouring bins are added up, whenever time goes past
//        the last bin; so a finished view has between 100 and 200 bins, however long the run is.
// Cost   O(1) a call in the mean; 64 · 200 · 3 numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/base/quantity.hpp"

namespace reprise::sim {

class TimeBins {
 public:
  static constexpr std::size_t kRows = 64, kBins = 200;
  struct Share {
    double compute = 0, communication = 0, wait = 0;  // seconds of all the row's ranks
    Share& operator+=(const Share& other) {
      compute += other.compute;
      communication += other.communication;
      wait += other.wait;
      return *this;
    }
  };

  TimeBins() = default;
  explicit TimeBins(std::size_t ranks);
  // The rank does these one by one from `from` on for `span` seconds; spread evenly over them.
  void add(std::int32_t rank, double from, double span, const Share&);

  std::size_t row_count() const { return rows_; }
  std::int32_t first_rank(std::size_t row) const;  // of row_count() as well: the number of ranks
  Seconds width() const { return Seconds{width_}; }
  std::size_t used_bins() const { return used_; }
  const Share& at(std::size_t row, std::size_t bin) const { return bins_[row * kBins + bin]; }

 private:
  void widen();

  std::size_t ranks_ = 0, rows_ = 0, used_ = 0;
  double width_ = 0x1p-30;
  std::vector<Share> bins_;  // by row, then time
};

}  // namespace reprise::sim
