// SPDX-License-Identifier: MIT
#include "sim/engine/steady/batch_means.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace reprise::sim {
namespace {

// The 0.995 quantiles of Student's t with 1 to kMost degrees of freedom: asked for at every look at a series.
constexpr std::uint32_t kMost = 48;
double student(std::uint32_t freedom) {
  static const auto by_freedom = [] {
    std::array<double, kMost> quantiles{};
    for (std::uint32_t i = 0; i < kMost; ++i)
      quantiles[i] = boost::math::quantile(boost::math::students_t(i + 1), 0.995);
    return quantiles;
  }();
  return by_freedom[freedom - 1];
}

}  // namespace

void BatchMeans::add(double total, double total_of_second) {
  if (ended_ == 0) {
    ends_[0] = total;
    seconds_[0] = total_of_second;
    ended_ = 1;
    return;
  }
  if (++filled_ < size_) return;
  filled_ = 0;
  if (ended_ == kBatches + 1) {
    for (std::uint32_t i = 1; i <= kBatches / 2; ++i) {
      ends_[i] = ends_[2 * i];
      seconds_[i] = seconds_[2 * i];
    }
    ended_ = kBatches / 2 + 1;
    filled_ = size_;
    size_ *= 2;
    return;
  }
  ends_[ended_] = total;
  seconds_[ended_++] = total_of_second;
}

std::optional<BatchMeans::Estimate> BatchMeans::estimate() const {
  if (ended_ < fewest_ + 1 || size_ < shortest_) return std::nullopt;
  const std::uint32_t batches = ended_ - 1, first = batches / 4, used = batches - first;
  const double values = static_cast<double>(used) * static_cast<double>(size_);
  Estimate estimate;
  estimate.mean = (ends_[batches] - ends_[first]) / values;
  estimate.values = used * size_;
  estimate.lag = estimate.mean - (seconds_[batches] - seconds_[first]) / values;
  double squares = 0, products = 0, before = 0;
  for (std::uint32_t i = first; i < batches; ++i) {
    const double off = (ends_[i + 1] - ends_[i]) / static_cast<double>(size_) - estimate.mean;
    squares += off * off;
    if (i > first) products += off * before;
    before = off;
  }
  const double correlation = squares > 0 ? std::clamp(products / squares, 0.0, 0.9) : 0;
  const double variance = squares / (used - 1) * (1 + correlation) / (1 - correlation);
  estimate.variance = variance * static_cast<double>(size_);
  estimate.quantile = student(used - 1);
  estimate.half_width = estimate.quantile * std::sqrt(variance / used);
  return estimate;
}

}  // namespace reprise::sim
