// SPDX-License-Identifier: MIT
// What clustering costs in accuracy: a trace that holds every iteration by itself (recorded with --iterations 1024, of a run of fewer) is clustered
// again with 8 … 256 clusters, and each iteration compared with the mean of its cluster.
//
//     iteration_clusters TRACE
//
// Printed  mean and largest error of an iteration's time over ranks and iterations, in %; the mean error of one call path's time in relation to the
//          iteration's; phantom call paths with and without call trees told apart; ns an iteration that clustering takes.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>

#include "trace-io/base/error.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/iterations/clustering.hpp"
#include "trace-io/iterations/ranks_iterations.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

using Series = std::vector<IterationProfile>;

Series series_of(const RankIterations& rank) {
  Series series;
  for (const std::int64_t label : rank.sequence.unrolled()) {
    const IterationCluster& cluster = rank.clusters[static_cast<std::size_t>(label)];
    series.push_back(cluster.sums);
    for (auto& one : series.back())
      for (auto& metric : one.metrics.of) metric /= cluster.size;
  }
  return series;
}

double time_of(const IterationMetrics& metrics) {
  return static_cast<double>(metrics[IterationMetric::compute] +
                             metrics[IterationMetric::communicate]);
}

struct Errors {
  double sum = 0, most = 0, of_paths = 0;
  std::size_t iterations = 0, paths = 0, phantoms = 0;
};

void compare(const Series& series, const RankIterations& clusters, Errors& errors) {
  std::size_t i = 0;
  for (const std::int64_t label : clusters.sequence.unrolled()) {
    const IterationCluster& cluster = clusters.clusters[static_cast<std::size_t>(label)];
    const auto size = static_cast<double>(cluster.size);
    std::map<SiteId, double> truth;
    double whole = 0, shown = 0;
    for (const auto& [site, metrics] : series[i]) whole += truth[site] = time_of(metrics);
    for (const auto& [site, metrics] : cluster.sums) {
      shown += time_of(metrics) / size;
      errors.phantoms += truth.count(site) == 0 ? 1 : 0;
      errors.of_paths += std::abs(truth[site] - time_of(metrics) / size) / whole;
      ++errors.paths;
    }
    ++i;
    if (whole == 0) continue;
    const double error = std::abs(shown - whole) / whole;
    errors.sum += error;
    errors.most = std::max(errors.most, error);
    ++errors.iterations;
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  const Trace trace = load(argv[1]);
  std::vector<Series> ranks;
  for (const auto& program : trace.threads)
    for_each_clustered_loop(program, [&](const Loop& loop) {
      for (const auto& rank : loop.clusters) ranks.push_back(series_of(rank));
    });
  std::printf("clusters  mean %%  largest %%  path %%  phantoms  without trees  ns/iteration\n");
  for (const std::uint32_t limit : {8U, 16U, 32U, 64U, 128U, 256U}) {
    Errors errors, any;
    double time = 0;
    for (const Series& series : ranks) {
      const auto begin = std::chrono::steady_clock::now();
      IterationClustering clustering({.limit = limit});
      for (const auto& profile : series) clustering.add(profile);
      time += std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin)
                  .count();
      compare(series, clustering.result(Rank{0}), errors);
      IterationClustering mixed({.limit = limit, .call_trees = CallTrees::any});
      for (const auto& profile : series) mixed.add(profile);
      compare(series, mixed.result(Rank{0}), any);
    }
    const auto count = static_cast<double>(std::max<std::size_t>(errors.iterations, 1));
    std::printf("%8u  %6.3f  %9.2f  %6.4f  %8zu  %13zu  %12.0f\n", limit, 100 * errors.sum / count,
                100 * errors.most,
                100 * errors.of_paths / static_cast<double>(std::max<std::size_t>(errors.paths, 1)),
                errors.phantoms, any.phantoms, time / count);
  }
  return 0;
} catch (const InputError& error) {
  std::fprintf(stderr, "%s: %s\n", error.where().c_str(), error.problem().c_str());
  return 2;
}
