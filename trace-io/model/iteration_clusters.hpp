// SPDX-License-Identifier: MIT
// What the iterations of a rank's main loop were like: a few mean profiles, and which iteration had which.
//
// Profile    of an iteration: for each call site that it visited, the metrics of all visits: calls, bytes handed to MPI, time computed
//            on the way to the calls, time inside them.
// Cluster    iterations that are alike. It holds the sums over them, so that its mean profile is sums / size and the sums of all clusters are
//            the exact totals of the loop.
// Sequence   the cluster of each iteration, in their order. Regular ones fold to a few bytes.
// Source     Szebenyi, Wolf, Wylie: Space-Efficient Time-Series Call-Path Profiling of Parallel Applications, SC 2009.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "trace-io/base/quantity.hpp"
#include "trace-io/model/event.hpp"
#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {

enum class IterationMetric : std::uint8_t { calls, bytes, compute, communicate };
inline constexpr std::size_t kIterationMetrics = 4;
inline constexpr std::array<std::string_view, kIterationMetrics> kIterationMetricNames = {
    "calls", "bytes", "compute", "communicate"};  // times in ns

struct IterationMetrics {
  std::array<std::uint64_t, kIterationMetrics> of{};

  std::uint64_t& operator[](IterationMetric metric) { return of[static_cast<std::size_t>(metric)]; }
  std::uint64_t operator[](IterationMetric metric) const {
    return of[static_cast<std::size_t>(metric)];
  }
  IterationMetrics& operator+=(const IterationMetrics& more) {
    for (std::size_t m = 0; m < of.size(); ++m) of[m] += more.of[m];
    return *this;
  }
  friend bool operator==(const IterationMetrics&, const IterationMetrics&) = default;
};

struct SiteMetrics {
  SiteId site = kNoSite;
  IterationMetrics metrics;
  friend bool operator==(const SiteMetrics&, const SiteMetrics&) = default;
};
// In the order of the sites, none twice, each called at least once.
using IterationProfile = std::vector<SiteMetrics>;

struct IterationCluster {
  std::uint64_t size = 0;  // iterations
  IterationProfile sums;   // over them
  friend bool operator==(const IterationCluster&, const IterationCluster&) = default;
};

// Which iterations may be in one cluster: those of call trees that are equal.
enum class CallTrees : std::uint8_t {
  any,          // all: profiles may show calls that an iteration never made
  same_sites,   // weak equivalence: the same sites were visited
  same_counts,  // strong: equally often, too
};

struct RankIterations {
  Rank rank;
  std::uint32_t limit = 0;  // clusters that were asked for
  CallTrees call_trees = CallTrees::same_counts;
  std::vector<IterationCluster> clusters;  // in the order of their first iterations
  ValueSequence sequence;                  // of each iteration the index of its cluster
  friend bool operator==(const RankIterations&, const RankIterations&) = default;
};

// How much a trace can hold.
inline constexpr std::uint64_t kMostIterations = std::uint64_t{1} << 24U;  // of a rank
inline constexpr std::uint32_t kMostClusters = 1024;  // asked for; see clustering.hpp
inline constexpr std::uint32_t kDefaultClusters = 64;

}  // namespace reprise::trace_io
