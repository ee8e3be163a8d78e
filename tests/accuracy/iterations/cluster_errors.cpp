// SPDX-License-Identifier: MIT
// What clustering costs in accuracy, by the paper's measures (Szebenyi, Wolf, Wylie, SC 2009, section 5): recordings in which every iteration is a
// cluster of its own are clustered again, with the recorder's own code, into 8 … 256 clusters a rank; each iteration is then compared with the mean of
// its cluster.
//
//     cluster_errors TRACE...          the parts of one run (REPRISE_PARTS=keep: one a rank, times not yet rounded), or its trace
//
// Metrics    those of a profile (calls, bytes, compute, communicate), and the time, which is derived: compute and communicate together.
// mean, max  of an iteration, over the ranks, of the whole iteration's metric: |as shown - as it was|, averaged over iterations, in relation to the
//            metric's average over all iterations; then averaged over all metrics, or the three times only.
// settled    mean of all metrics, where iterations move to the cluster nearest to them until none does: an algorithm that has all of them at
//            hand. So much of the error is the number of clusters; the rest is that iterations were clustered as they came.
// path       |as shown - as it was| of one time at one call path in one iteration of one rank, in relation to the largest such time of that rank over
//            call paths and iterations; averaged over the two times, all iterations and all call paths of the rank's loop (as the paper does), or those
//            only that the iteration visits.
// phantoms   call paths that an iteration shows without having visited them, in % of those that were visited; with call trees told apart, and without.
// totals     the largest relative difference between the sums over clusters and over iterations, of any call path and metric.
// ns         an iteration takes to be clustered.
// bytes      of distances, profiles and the rest, of the rank that has most; clusters, too.
#include <chrono>
#include <cstdio>
#include <map>

#include "tests/accuracy/iterations/iteration_errors.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/iterations/clustering.hpp"
#include "trace-io/iterations/ranks_iterations.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

Series series_of(const RankIterations& rank, const char* path) {
  if (rank.clusters.size() < rank.sequence.size())
    throw InputError(path, "has clusters of several iterations",
                     "record fewer iterations than REPRISE_ITERATIONS");
  Series series;
  for (const std::int64_t label : rank.sequence.unrolled())
    series.push_back(rank.clusters[static_cast<std::size_t>(label)].sums);
  return series;
}

std::vector<Series> load_ranks(int count, char** paths) {
  std::map<Rank, Series> ranks;
  for (int i = 0; i < count; ++i) {
    const Trace trace = load(paths[i]);
    for (const auto& rank : trace.marked_iterations) ranks[rank.rank] = series_of(rank, paths[i]);
    for (const auto& program : trace.threads)
      for_each_clustered_loop(program, [&](const Loop& loop) {
        for (const auto& rank : loop.clusters) ranks[rank.rank] = series_of(rank, paths[i]);
      });
  }
  std::vector<Series> all;
  for (auto& [rank, series] : ranks) all.push_back(std::move(series));
  return all;
}

double off_totals(const Series& truth, const RankIterations& clusters) {
  IterationProfile sums, shown;
  for (const auto& profile : truth) add_profile(sums, profile);
  for (const auto& cluster : clusters.clusters) add_profile(shown, cluster.sums);
  if (sums.size() != shown.size()) return 1;
  double most = 0;
  for (std::size_t s = 0; s < sums.size(); ++s)
    for (std::size_t m = 0; m < kIterationMetrics; ++m) {
      const auto one = static_cast<double>(sums[s].metrics.of[m]),
                 other = static_cast<double>(shown[s].metrics.of[m]);
      if (one != other) most = std::max(most, std::abs(one - other) / std::max(one, other));
    }
  return most;
}

struct Measured {
  Values mean{}, most{}, settled{};  // errors
  PathErrors paths;
  double totals = 0, nanoseconds = 0;   // of an iteration
  std::size_t clusters = 0, bytes = 0;  // the most of any rank
};

Measured measured(const std::vector<Series>& ranks, const IterationClustering::Settings& settings) {
  Measured result;
  IterationGraph truth(ranks.size()), shown(ranks.size()), at_best(ranks.size());
  std::size_t iterations = 0;
  for (const Series& series : ranks) {
    const auto begin = std::chrono::steady_clock::now();
    IterationClustering clustering(settings);
    for (const auto& profile : series) clustering.add(profile);
    result.nanoseconds +=
        std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
    iterations += series.size();
    if (clustering.is_given_up())
      throw InputError("clusters", "the iterations have too many call trees", "");
    const RankIterations clusters = clustering.result(Rank{0});
    const auto labels = clusters.sequence.unrolled();
    const std::vector<Values> best = settled(series, clusters.clusters, labels);
    Shown its;
    for (const std::int64_t label : labels)
      its.push_back(&clusters.clusters[static_cast<std::size_t>(label)]);
    for (std::size_t i = 0; i < series.size(); ++i) {
      truth.add(i, whole(series[i], 1));
      shown.add(i, whole(its[i]->sums, static_cast<double>(its[i]->size)));
      at_best.add(i, best[i]);
    }
    result.paths.add(series, its);
    result.totals = std::max(result.totals, off_totals(series, clusters));
    result.clusters = std::max(result.clusters, clusters.clusters.size());
    result.bytes = std::max(result.bytes, clustering.heap_bytes());
  }
  result.mean = shown.mean_errors(truth);
  result.most = shown.most_errors(truth);
  result.settled = at_best.mean_errors(truth);
  result.nanoseconds /= static_cast<double>(std::max<std::size_t>(iterations, 1));
  return result;
}

double of_all(const Values& errors) {
  double sum = 0;
  for (const double error : errors) sum += error;
  return 100 * sum / static_cast<double>(kMetrics);
}
double of_times(const Values& errors) {
  double sum = 0;
  for (const std::size_t m : kTimes) sum += errors[m];
  return 100 * sum / static_cast<double>(kTimes.size());
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) return 2;
  const std::vector<Series> ranks = load_ranks(argc - 1, argv + 1);
  std::printf(
      "| N | mean %%: all | times | calls, bytes, compute, communicate | settled | max %%: all | "
      "times | path %%: all | visited | phantoms %% | without trees | totals | ns | bytes | "
      "clusters |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const std::uint32_t limit : {8U, 16U, 32U, 64U, 128U, 256U}) {
    const Measured here = measured(ranks, {.limit = limit});
    const Measured any = measured(ranks, {.limit = limit, .call_trees = CallTrees::any});
    std::printf("| %u | %.2f | %.2f | %.2f, %.2f, %.2f, %.2f | %.2f ", limit, of_all(here.mean),
                of_times(here.mean), 100 * here.mean[0], 100 * here.mean[1], 100 * here.mean[2],
                100 * here.mean[3], of_all(here.settled));
    std::printf("| %.2f | %.2f | %.3f | %.3f | %.3f | %.3f | %.0e | %.0f | %zu | %zu |\n",
                of_all(here.most), of_times(here.most), 100 * here.paths.of_all(),
                100 * here.paths.of_visited(), 100 * here.paths.phantoms(),
                100 * any.paths.phantoms(), here.totals, here.nanoseconds, here.bytes,
                here.clusters);
  }
  return 0;
} catch (const InputError& error) {
  std::fprintf(stderr, "%s: %s\n", error.where().c_str(), error.problem().c_str());
  return 2;
}
