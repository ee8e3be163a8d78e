// SPDX-License-Identifier: MIT
// Clusters of iteration profiles: exact sums, call trees kept apart, and how close the means come to each iteration.
#include "trace-io/iterations/clustering.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <set>

using namespace reprise;
using namespace reprise::trace_io;

namespace {

using Series = std::vector<IterationProfile>;
using Settings = IterationClustering::Settings;

SiteMetrics visit(SiteId site, std::uint64_t calls, std::uint64_t compute,
                  std::uint64_t communicate, std::uint64_t bytes = 8) {
  return {site, {{calls, bytes * calls, compute, communicate}}};
}

RankIterations clustered(const Series& series, Settings settings) {
  IterationClustering clustering(settings);
  for (const auto& profile : series) clustering.add(profile);
  REQUIRE_FALSE(clustering.is_given_up());
  return clustering.result(Rank{0});
}

IterationProfile total(const Series& series) {
  IterationProfile sum;
  for (const auto& profile : series) add_profile(sum, profile);
  return sum;
}
IterationProfile total(const RankIterations& result) {
  IterationProfile sum;
  for (const auto& cluster : result.clusters) add_profile(sum, cluster.sums);
  return sum;
}

// An adaptive code: the base drifts, every tenth step writes output, now and then there is noise, some sites come and go.
Series drifting(std::size_t steps, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Series series;
  for (std::size_t i = 0; i < steps; ++i) {
    const auto noise = [&](double part) {
      return 1 + part * (static_cast<double>(random() % 2001) / 1000 - 1);
    };
    const double base = 1e5 * (1 + 0.5 * static_cast<double>(i) / static_cast<double>(steps));
    IterationProfile profile;
    for (SiteId site = 0; site < 12; ++site) {
      if (site >= 10 && i % 100 != site) continue;  // refinement
      profile.push_back(visit(site, 1, static_cast<std::uint64_t>(base * (1 + site) * noise(0.02)),
                              static_cast<std::uint64_t>(2e4 * noise(0.3)),
                              static_cast<std::uint64_t>(1000 + i)));
    }
    if (i % 10 == 9) profile.push_back(visit(20, 4, 500'000, 200'000));
    if (random() % 50 == 0) profile[2].metrics[IterationMetric::compute] += 3'000'000;
    series.push_back(std::move(profile));
  }
  return series;
}

// Sites that an iteration's cluster shows and the iteration never visited.
std::size_t phantom_paths(const Series& series, const RankIterations& result) {
  std::size_t phantoms = 0, i = 0;
  for (const std::int64_t label : result.sequence.unrolled()) {
    for (const auto& shown : result.clusters[static_cast<std::size_t>(label)].sums)
      phantoms += std::ranges::count(series[i], shown.site, &SiteMetrics::site) == 0 ? 1 : 0;
    ++i;
  }
  return phantoms;
}

double time_of(const IterationProfile& profile) {
  double sum = 0;
  for (const auto& [site, metrics] : profile)
    sum += static_cast<double>(metrics[IterationMetric::compute] +
                               metrics[IterationMetric::communicate]);
  return sum;
}

// Of the time of an iteration: the mean of its relative error.
double mean_error(const Series& series, const RankIterations& result) {
  double sum = 0;
  std::size_t i = 0;
  for (const std::int64_t label : result.sequence.unrolled()) {
    const auto& cluster = result.clusters[static_cast<std::size_t>(label)];
    const double truth = time_of(series[i++]);
    sum += std::abs(time_of(cluster.sums) / static_cast<double>(cluster.size) - truth) / truth;
  }
  return sum / static_cast<double>(series.size());
}

}  // namespace

TEST_CASE("clustering: up to the limit each iteration is kept as it is", "[trace-io]") {
  const Series series = drifting(64, 1);
  const RankIterations result = clustered(series, {.limit = 64});
  REQUIRE(result.clusters.size() == 64);
  CHECK(result.sequence.unrolled().back() == 63);
  for (std::size_t i = 0; i < 64; ++i) CHECK(result.clusters[i].sums == series[i]);
  CHECK(mean_error(series, result) == 0);
}

TEST_CASE("clustering: sums over all clusters are those of all iterations", "[trace-io]") {
  const auto weight = GENERATE(SizeWeight::ward, SizeWeight::none);
  for (const std::uint32_t limit : {1U, 2U, 8U, 64U})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Series series = drifting(500, seed);
      const RankIterations result = clustered(series, {.limit = limit, .weight = weight});
      CHECK(total(result) == total(series));
      CHECK(result.sequence.size() == series.size());
      std::vector<std::uint64_t> sizes(result.clusters.size());
      for (const auto label : result.sequence.unrolled()) ++sizes[static_cast<std::size_t>(label)];
      for (std::size_t c = 0; c < sizes.size(); ++c) CHECK(sizes[c] == result.clusters[c].size);
    }
}

TEST_CASE("clustering: with equivalence of call trees there are no phantom paths", "[trace-io]") {
  const Series series = drifting(1000, 3);
  const auto phantoms = [&](std::optional<CallTrees> trees) {
    return phantom_paths(series, clustered(series, {.limit = 16, .call_trees = trees}));
  };
  CHECK(phantoms(CallTrees::any) > 0);
  CHECK(phantoms(CallTrees::same_sites) == 0);
  CHECK(phantoms(CallTrees::same_counts) == 0);
  CHECK(phantoms(std::nullopt) == 0);
}

TEST_CASE("clustering: more clusters, smaller errors; 64 are within a percent", "[trace-io]") {
  const Series series = drifting(2000, 5);
  double before = 1;
  for (const std::uint32_t limit : {8U, 16U, 32U, 64U, 128U, 256U}) {
    const double error = mean_error(series, clustered(series, {.limit = limit}));
    CHECK(error < before);
    if (limit >= 64) CHECK(error < 0.01);
    before = error;
  }
}

TEST_CASE("clustering: strong equivalence becomes weak where it makes too many classes",
          "[trace-io]") {
  Series series;
  for (std::uint64_t i = 0; i < 300; ++i)
    series.push_back({visit(0, 1 + i % 40, 1000 + i, 10), visit(1, 1, 10, 10)});
  CHECK(clustered(series, {.limit = 80}).call_trees == CallTrees::same_counts);
  CHECK(clustered(series, {.limit = 79}).call_trees == CallTrees::same_sites);
  const RankIterations weak = clustered(series, {.limit = 16});
  CHECK(weak.call_trees == CallTrees::same_sites);
  CHECK(weak.clusters.size() == 16);
  CHECK(total(weak) == total(series));
}

TEST_CASE("clustering: call trees do not use up the limit", "[trace-io]") {
  const auto of_trees = [](std::uint64_t trees) {
    IterationClustering clustering({.limit = 4});
    for (std::uint64_t i = 0; i < 4 * trees; ++i)
      clustering.add({visit(static_cast<SiteId>(i % trees), 1, 100 + i, 10)});
    return clustering;
  };
  CHECK(of_trees(1).result(Rank{0}).clusters.size() == 4);
  CHECK(of_trees(16).result(Rank{0}).clusters.size() == 4 + 15);
  CHECK(of_trees(256).result(Rank{0}).clusters.size() == 4 + 255);
  CHECK(of_trees(257).is_given_up());
}

// A mesh is refined every 5th step, each time at other sites; the steps between drift. All of them in one cluster would be off by a quarter of the drift.
TEST_CASE("clustering: steps keep their clusters beside refinements of many call trees",
          "[trace-io]") {
  Series series;
  for (std::uint64_t i = 0; i < 500; ++i) {
    series.push_back({visit(0, 1, 1'000'000 + 2000 * i, 1000)});
    if (i % 5 == 4)
      series.back().push_back(visit(static_cast<SiteId>(1 + i / 5 % 60), 1, 50'000, 1000));
  }
  CHECK(mean_error(series, clustered(series, {.limit = 32})) < 0.04);
  CHECK(mean_error(series, clustered(series, {.limit = 1})) > 0.1);
}

// Steps alternate between two levels that differ little, and twenty outliers differ by much. With room for a few clusters Ward's
// weight keeps the levels and puts outliers together; without a weight the outliers have clusters of their own and the levels are one.
TEST_CASE("clustering: Ward's weight keeps the baseline in front of outliers", "[trace-io]") {
  Series series;
  std::mt19937_64 random(7);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    std::uint64_t time = i % 2 == 0 ? 1'000'000 : 1'100'000;
    if (i % 50 == 49) time = 2'000'000 + random() % 4'000'000;
    series.push_back({visit(0, 1, time, 1000)});
  }
  const auto levels_apart = [&](SizeWeight weight) {
    const RankIterations result = clustered(series, {.limit = 8, .weight = weight});
    const auto labels = result.sequence.unrolled();
    return labels[600] != labels[601];
  };
  CHECK(levels_apart(SizeWeight::ward));
  CHECK_FALSE(levels_apart(SizeWeight::none));
}

TEST_CASE("clustering: two halves that are put together have the sums of the whole", "[trace-io]") {
  const Series series = drifting(600, 9);
  IterationClustering first({.limit = 24}), second({.limit = 24});
  for (std::size_t i = 0; i < series.size(); ++i) (i < 250 ? first : second).add(series[i]);
  first.append(second);
  const RankIterations result = first.result(Rank{0});
  CHECK(total(result) == total(series));
  CHECK(result.sequence.size() == series.size());
  CHECK(phantom_paths(series, result) == 0);
  CHECK(mean_error(series, result) < 1.5 * mean_error(series, clustered(series, {.limit = 24})));
}

TEST_CASE("clustering: distances and profiles of 256 clusters take less than 4 MiB", "[trace-io]") {
  IterationClustering clustering({.limit = 256});
  for (const auto& profile : drifting(5000, 11)) clustering.add(profile);
  CHECK(clustering.heap_bytes() < std::size_t{4} << 20U);
}

TEST_CASE("clustering: a regular series folds", "[trace-io]") {
  Series series;
  for (std::uint64_t i = 0; i < 100'000; ++i)
    series.push_back({visit(0, 1, i % 10 == 9 ? 9000 : 1000, 50)});
  CHECK(clustered(series, {.limit = 8}).sequence.term_count() <= 4);
}
