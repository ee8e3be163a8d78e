// SPDX-License-Identifier: MIT
// The mean of a stationary series and how well it is known, where neighbours in the series depend on each other.
//
// Method  batch means (Law, "Simulation Modeling and Analysis", §9.5): means of long enough batches are nearly independent. There
//         are between kBatches / 2 and kBatches of them; when there would be more, neighbours are joined, so batches grow with the
//         series. The first quarter is warm-up and does not count. What correlation is left between neighbouring batches widens the
//         interval. Confidence: 99 %, by Student's t.
// Cost    O(1) per value, memory constant.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace reprise::sim {

class BatchMeans {
 public:
  struct Estimate {
    double mean = 0, half_width = 0;
    double variance = 0;       // per value, long-run: that of a sum of n values is n times this
    std::uint64_t values = 0;  // that it rests on
    double lag = 0;            // of the second series against the first, per value
    double quantile = 0;       // of Student's t that half_width was made with
  };

  // SHORTEST: values of a batch, lest neighbours be alike. FEWEST: batches without which nothing is estimated.
  explicit BatchMeans(std::uint64_t shortest = 4, std::uint32_t fewest = kFewest)
      : shortest_(shortest), fewest_(fewest) {}

  // A value is the step of the first series from the last call to this one; the second must keep up with it.
  void add(double total, double total_of_second);
  // Whether a batch has just been finished, so that estimate() has news.
  bool has_news() const { return filled_ == 0; }
  // Nothing where there are too few batches.
  std::optional<Estimate> estimate() const;
  void clear() { *this = BatchMeans(shortest_, fewest_); }

 private:
  static constexpr std::uint32_t kBatches = 64, kFewest = 32;
  std::uint64_t shortest_;
  std::uint32_t fewest_;
  std::array<double, kBatches + 1> ends_{},
      seconds_{};            // totals at the ends of batches, the first where it all began
  std::uint32_t ended_ = 0;  // entries of ends_; one more than there are batches
  std::uint64_t size_ = 1, filled_ = 0;
};

}  // namespace reprise::sim
