// SPDX-License-Identifier: MIT
#include "recorder/probe/sampling.hpp"

#include <algorithm>
#include <cmath>

namespace reprise::probe {
namespace {

// The clock resolves some ten nanoseconds; a scheduler's time slice is a few milliseconds.
constexpr double kSampleSeconds = 40e-6;
constexpr double kMostInner = 200, kLeastSamples = 11, kMostSamples = 4000;

double quantile(const std::vector<double>& sorted, double q) {
  return sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1) + 0.5)];
}

}  // namespace

Summary summarise(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return {quantile(samples, 0.1), quantile(samples, 0.5), quantile(samples, 0.9), samples.size()};
}

Repetitions plan(double estimate_s, double budget_s) {
  const double one = std::max(estimate_s, 1e-9);
  const double inner = std::clamp(std::floor(kSampleSeconds / one), 1.0, kMostInner);
  const double samples =
      std::clamp(std::floor(budget_s / (one * inner)), kLeastSamples, kMostSamples);
  return {static_cast<int>(inner), static_cast<int>(samples)};
}

}  // namespace reprise::probe
