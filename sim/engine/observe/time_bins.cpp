// SPDX-License-Identifier: MIT
#include "sim/engine/observe/time_bins.hpp"

#include <algorithm>
#include <cmath>

namespace reprise::sim {

TimeBins::TimeBins(std::size_t ranks)
    : ranks_(ranks), rows_(std::min(ranks, kRows)), bins_(rows_ * kBins) {}

std::int32_t TimeBins::first_rank(std::size_t row) const {
  return static_cast<std::int32_t>((row * ranks_ + rows_ - 1) /
                                   rows_);  // the lowest rank r with ⌊r · rows / ranks⌋ = row
}

void TimeBins::add(std::int32_t rank, double from, double span, const Share& share) {
  if (span <= 0) return;
  const double end = from + span;
  while (end > width_ * static_cast<double>(kBins)) widen();
  const std::size_t row = static_cast<std::size_t>(rank) * rows_ / ranks_;
  const auto first = static_cast<std::size_t>(from / width_);
  for (std::size_t bin = first; bin < kBins; ++bin) {
    const double begin = std::max(from, static_cast<double>(bin) * width_);
    const double inside = std::min(end, static_cast<double>(bin + 1) * width_) - begin;
    if (inside <= 0) break;
    const double part = inside / span;
    bins_[row * kBins + bin] +=
        {share.compute * part, share.communication * part, share.wait * part};
    used_ = std::max(used_, bin + 1);
  }
}

void TimeBins::widen() {
  for (std::size_t row = 0; row < rows_; ++row) {
    Share* bins = &bins_[row * kBins];
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      Share both;
      if (2 * bin + 1 < kBins) (both += bins[2 * bin]) += bins[2 * bin + 1];
      bins[bin] = both;
    }
  }
  width_ *= 2;
  used_ = (used_ + 1) / 2;
}

}  // namespace reprise::sim
