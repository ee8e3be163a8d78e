// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "trace-io/merge/scale_factor_fit.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {
namespace {

constexpr double kFineUnit = 4096, kCoarseUnit = 160;
constexpr double kSmallestScaleFactor =
    100;  // of a rank that does anything: rounding then costs half a per cent at most

// Units per 1.0, so that the smallest ratio is kept well.
double unit_for(std::span<const double> ratios, double least_unit) {
  double smallest = 1;
  for (const double ratio : ratios)
    if (ratio > 0) smallest = std::min(smallest, ratio);
  return std::clamp(kSmallestScaleFactor / smallest, least_unit, std::max(least_unit, 1e6));
}

std::int64_t whole_units(double value) {
  return std::clamp<std::int64_t>(std::llround(std::min(value, 4e9)), 0,
                                  RankScaleFactors::kLargest);
}

std::size_t bytes_of(const FoldedScaleFactors& factors) {
  return std::min(folded_bytes(factors.values), plain_bytes(factors.values));
}

FoldedScaleFactors folded(std::vector<std::int64_t> each) {
  FoldedScaleFactors scale_factors;
  for (const std::int64_t value : each) scale_factors.values.append(value);
  scale_factors.each = std::move(each);
  return scale_factors;
}

FoldedScaleFactors one_by_one(std::span<const double> ratios) {
  const double unit = unit_for(ratios, kCoarseUnit);
  std::vector<std::int64_t> each;
  for (const double ratio : ratios) each.push_back(whole_units(ratio * unit));
  return folded(std::move(each));
}

// As few levels as the tolerances allow: from below, each is stretched over as many ratios as it can serve.
FoldedScaleFactors in_levels(std::span<const double> ratios, std::span<const double> tolerances) {
  const double unit = unit_for(ratios, kFineUnit);
  std::vector<std::size_t> order(ratios.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ratios[a] < ratios[b]; });
  std::vector<std::int64_t> each(ratios.size());
  for (std::size_t first = 0; first < order.size();) {
    double low = 0, high = std::numeric_limits<double>::max();
    std::size_t end = first;
    for (; end < order.size(); ++end) {
      const double ratio = ratios[order[end]], tolerance = tolerances[order[end]];
      if (ratio * (1 - tolerance) > high || ratio * (1 + tolerance) < low) break;
      low = std::max(low, ratio * (1 - tolerance));
      high = std::min(high, ratio * (1 + tolerance));
    }
    const std::int64_t level = whole_units((low + high) / 2 * unit);
    for (; first < end; ++first) each[order[first]] = level;
  }
  return folded(std::move(each));
}

FoldedScaleFactors in_lines(std::span<const double> ratios, std::span<const double> tolerances) {
  const double unit = unit_for(ratios, kFineUnit);
  FoldedScaleFactors scale_factors;
  for (std::size_t first = 0; first < ratios.size();) {
    const std::int64_t start = whole_units(ratios[first] * unit);
    double least = -static_cast<double>(start),
           most = static_cast<double>(RankScaleFactors::kLargest - start);
    std::int64_t slope = 0;
    std::size_t count = 1;
    for (; first + count < ratios.size(); ++count) {
      const double ratio = ratios[first + count] * unit, room = ratio * tolerances[first + count];
      const auto steps = static_cast<double>(count);
      const double lower = std::max(least, (ratio - room - static_cast<double>(start)) / steps),
                   upper = std::min(most, (ratio + room - static_cast<double>(start)) / steps);
      const double middle = std::round((lower + upper) / 2);
      const double whole = middle < lower   ? std::ceil(lower)
                           : middle > upper ? std::floor(upper)
                                            : middle;
      if (lower > upper || whole < lower || whole > upper) break;
      least = lower;
      most = upper;
      slope = static_cast<std::int64_t>(whole);
    }
    for (std::size_t i = 0; i < count; ++i) {
      scale_factors.each.push_back(std::clamp<std::int64_t>(
          start + slope * static_cast<std::int64_t>(i), 0, RankScaleFactors::kLargest));
      scale_factors.values.append(scale_factors.each.back());
    }
    first += count;
  }
  return scale_factors;
}

}  // namespace

FoldedScaleFactors fold_scale_factors(std::span<const double> ratios,
                                      std::span<const double> tolerances) {
  FoldedScaleFactors best = in_levels(ratios, tolerances);
  const auto offer = [&](FoldedScaleFactors other) {
    if (bytes_of(other) < bytes_of(best)) best = std::move(other);
  };
  offer(in_lines(ratios, tolerances));
  offer(one_by_one(ratios));
  return best;
}

}  // namespace reprise::trace_io
