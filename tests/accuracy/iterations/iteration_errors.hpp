// SPDX-License-Identifier: MIT
// How far the iterations of a run are from the means of their clusters; cluster_errors.cpp says by which measures.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "trace-io/model/iteration_clusters.hpp"

namespace reprise::trace_io {

using Series = std::vector<IterationProfile>;            // of a rank
using Shown = std::vector<const IterationCluster*>;      // of each iteration its cluster
inline constexpr std::size_t kTime = kIterationMetrics;  // derived: compute and communicate
inline constexpr std::size_t kMetrics = kIterationMetrics + 1;
inline constexpr std::array<std::size_t, 3> kTimes = {
    static_cast<std::size_t>(IterationMetric::compute),
    static_cast<std::size_t>(IterationMetric::communicate), kTime};
using Values = std::array<double, kMetrics>;  // of a whole iteration

inline Values whole(const IterationProfile& profile, double iterations) {
  Values values{};
  for (const auto& one : profile)
    for (std::size_t m = 0; m < kIterationMetrics; ++m)
      values[m] += static_cast<double>(one.metrics.of[m]) / iterations;
  values[kTime] = values[kTimes[0]] + values[kTimes[1]];
  return values;
}

// The paper's iteration graph: of each iteration the mean and the largest of the ranks.
class IterationGraph {
 public:
  explicit IterationGraph(std::size_t ranks) : ranks_(static_cast<double>(ranks)) {}

  void add(std::size_t iteration, const Values& values) {
    if (iteration == mean_.size()) {
      mean_.emplace_back();
      most_.emplace_back();
    }
    for (std::size_t m = 0; m < kMetrics; ++m) {
      mean_[iteration][m] += values[m] / ranks_;
      most_[iteration][m] = std::max(most_[iteration][m], values[m]);
    }
  }
  // By metric, as shares of the truth's average.
  Values mean_errors(const IterationGraph& truth) const { return errors(mean_, truth.mean_); }
  Values most_errors(const IterationGraph& truth) const { return errors(most_, truth.most_); }

 private:
  static Values errors(const std::vector<Values>& shown, const std::vector<Values>& truth) {
    Values errors{}, sums{};
    for (std::size_t i = 0; i < truth.size(); ++i)
      for (std::size_t m = 0; m < kMetrics; ++m) {
        errors[m] += std::abs(shown[i][m] - truth[i][m]);
        sums[m] += truth[i][m];
      }
    for (std::size_t m = 0; m < kMetrics; ++m) errors[m] = sums[m] > 0 ? errors[m] / sums[m] : 0;
    return errors;
  }

  double ranks_;
  std::vector<Values> mean_, most_;
};

// Of single call paths, over all ranks; shares of the largest time of the rank.
class PathErrors {
 public:
  void add(const Series& truth, const Shown& shown) {
    std::array<double, 2> largest{};
    std::set<SiteId> sites;
    for (const auto& profile : truth)
      for (const auto& one : profile) {
        sites.insert(one.site);
        for (std::size_t t = 0; t < 2; ++t)
          largest[t] = std::max(largest[t], static_cast<double>(one.metrics.of[kTimes[t]]));
      }
    paths_ += 2 * sites.size() * truth.size();
    for (std::size_t i = 0; i < truth.size(); ++i) {
      visited_ += truth[i].size();
      phantoms_ += shown[i]->sums.size() - truth[i].size();  // no visited one is lost
      auto at = shown[i]->sums.begin();
      for (const auto& one : truth[i]) {
        while (at->site != one.site) ++at;
        for (std::size_t t = 0; t < 2; ++t) {
          const double mean =
              static_cast<double>(at->metrics.of[kTimes[t]]) / static_cast<double>(shown[i]->size);
          if (largest[t] > 0)
            sum_ += std::abs(mean - static_cast<double>(one.metrics.of[kTimes[t]])) / largest[t];
        }
      }
    }
  }
  double of_all() const { return sum_ / static_cast<double>(std::max<std::size_t>(paths_, 1)); }
  double of_visited() const {
    return sum_ / static_cast<double>(std::max<std::size_t>(2 * visited_, 1));
  }
  double phantoms() const {
    return static_cast<double>(phantoms_) / static_cast<double>(std::max<std::size_t>(visited_, 1));
  }

 private:
  double sum_ = 0;
  std::size_t paths_ = 0, visited_ = 0, phantoms_ = 0;
};

// Lloyd's algorithm: iterations move to the cluster that is nearest to them, of equal call trees, until none does. By iteration the mean of
// its cluster. `labels`: where they are at first.
std::vector<Values> settled(const Series& series, const std::vector<IterationCluster>& clusters,
                            std::vector<std::int64_t> labels);

}  // namespace reprise::trace_io
