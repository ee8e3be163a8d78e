// SPDX-License-Identifier: MIT
#include "tests/accuracy/iterations/iteration_errors.hpp"

namespace reprise::trace_io {
namespace {

constexpr int kMostRounds = 100;

std::vector<Values> means_of(const std::vector<Values>& values,
                             const std::vector<std::int64_t>& labels, std::size_t clusters) {
  std::vector<Values> means(clusters);
  std::vector<double> sizes(clusters);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto c = static_cast<std::size_t>(labels[i]);
    ++sizes[c];
    for (std::size_t m = 0; m < kMetrics; ++m) means[c][m] += values[i][m];
  }
  for (std::size_t c = 0; c < clusters; ++c)
    for (double& mean : means[c]) mean /= std::max(sizes[c], 1.0);
  return means;
}

}  // namespace

std::vector<Values> settled(const Series& series, const std::vector<IterationCluster>& clusters,
                            std::vector<std::int64_t> labels) {
  std::vector<Values> values;
  Values sums{};
  for (const auto& profile : series) {
    values.push_back(whole(profile, 1));
    for (std::size_t m = 0; m < kMetrics; ++m) sums[m] += values.back()[m];
  }
  const auto distance = [&](const Values& a, const Values& b) {
    double sum = 0;
    for (std::size_t m = 0; m < kMetrics; ++m)
      if (sums[m] > 0) sum += std::abs(a[m] - b[m]) / sums[m];
    return sum;
  };
  std::vector<Values> means = means_of(values, labels, clusters.size());
  for (int round = 0; round < kMostRounds; ++round) {
    bool has_moved = false;
    for (std::size_t i = 0; i < series.size(); ++i) {
      double least = distance(values[i], means[static_cast<std::size_t>(labels[i])]);
      for (std::size_t c = 0; c < clusters.size(); ++c) {
        const double there = distance(values[i], means[c]);
        if (there >= least || !std::ranges::equal(series[i], clusters[c].sums, {},
                                                  &SiteMetrics::site, &SiteMetrics::site))
          continue;
        least = there;
        labels[i] = static_cast<std::int64_t>(c);
        has_moved = true;
      }
    }
    if (!has_moved) break;
    means = means_of(values, labels, clusters.size());
  }
  std::vector<Values> shown;
  for (const std::int64_t label : labels) shown.push_back(means[static_cast<std::size_t>(label)]);
  return shown;
}

}  // namespace reprise::trace_io
