// SPDX-License-Identifier: MIT
#include "sim/engine/steady/sampled_difference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reprise::sim {

void SampledDifference::add(double seconds, double in_model) {
  if (compared_++ == 0) steps_.add(0, 0);
  total_ += seconds;
  in_model_ += in_model;
  steps_.add(total_, total_);
  windows_.back().sum += seconds;
  ++windows_.back().periods;
}

double SampledDifference::mean() const {
  double sum = 0, periods = 0;
  for (const Window& window : windows_) {
    sum += window.sum;
    periods += static_cast<double>(window.periods);
  }
  return periods > 0 ? sum / periods : 0;
}

// Of one period.
double SampledDifference::within(const BatchMeans::Estimate& estimate) const {
  constexpr double kLeast = 1.5e-3;
  const double least = kLeast * in_model_ / static_cast<double>(compared_);
  return std::max(estimate.variance, least * least);
}

// The variance of a window's mean as successive ones tell it.
double SampledDifference::between() const {
  double squares = 0, pairs = 0;
  for (std::size_t i = 1; i < windows_.size(); ++i) {
    if (windows_[i].periods == 0) continue;
    const double step = windows_[i].mean() - windows_[i - 1].mean();
    squares += step * step;
    ++pairs;
  }
  return pairs > 0 ? squares / (2 * pairs) : 0;
}

double SampledDifference::bound(std::uint64_t periods, Plan plan) const {
  const auto estimate = steps_.estimate();
  if (!estimate) return std::numeric_limits<double>::infinity();
  const auto periods_of = [](std::uint64_t number) {
    return static_cast<double>(std::max<std::uint64_t>(1, number));
  };
  const double spread = between(), inside = within(*estimate);
  // What windows speak for; and the mean of all of them, for what has no window behind it.
  std::vector<double> weights(windows_.size());
  double by_all = 0, windows = 0;
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    const auto left_out = static_cast<double>(windows_[i].left_out);
    windows += windows_[i].periods > 0 ? 1 : 0;
    if (i + 1 < windows_.size() && windows_[i + 1].periods > 0) {
      weights[i] += left_out / 2;
      weights[i + 1] += left_out / 2;
    } else {
      by_all += left_out;
    }
  }
  const auto planned = static_cast<double>(plan.windows);
  const double part = static_cast<double>(periods) / (planned + 1);
  by_all += part;
  double variance = 0;
  if (plan.windows > 0) {
    weights.back() += part / 2;
    variance +=
        (planned - 0.75) * part * part * std::max(inside / periods_of(plan.periods), spread);
  }
  for (std::size_t i = 0; i < weights.size(); ++i)
    variance +=
        weights[i] * weights[i] * std::max(inside / periods_of(windows_[i].periods), spread);
  const double all = static_cast<double>(left_out_ + periods);
  const double of_all = std::max(inside / periods_of(compared_), spread / std::max(1.0, windows));
  return estimate->quantile * (std::sqrt(variance + all * inside) + by_all * std::sqrt(of_all));
}

double SampledDifference::leave_out(std::uint64_t periods) {
  windows_.back().left_out = periods;
  left_out_ += periods;
  double wanted = 0;
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    const double each = i + 1 < windows_.size() && windows_[i + 1].periods > 0
                            ? (windows_[i].mean() + windows_[i + 1].mean()) / 2
                            : mean();
    wanted += static_cast<double>(windows_[i].left_out) * each;
  }
  const double now = wanted - added_;
  added_ = wanted;
  windows_.emplace_back();
  return now;
}

}  // namespace reprise::sim
