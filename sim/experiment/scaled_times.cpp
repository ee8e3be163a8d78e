// SPDX-License-Identifier: MIT
#include "sim/experiment/scaled_times.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "platforms/placement.hpp"
#include "sim/engine/compute/compute_scaling.hpp"

namespace reprise::sim {
namespace {

using trace_io::DeltaClass;
using trace_io::Distribution;

// So many executions that take as long, all in the mean.
Distribution constant(std::uint64_t count, double sum_ns, Rank rank) {
  const auto sum = static_cast<std::int64_t>(std::llround(sum_ns));
  const Distribution::Bin all{count, sum};
  const auto executions = static_cast<std::int64_t>(count);
  return Distribution::from_parts(0, count, sum, Distribution::Squares::of(all.least_squares() + 1),
                                  {Nanoseconds{sum / executions}, rank},
                                  {Nanoseconds{(sum + executions - 1) / executions}, rank}, {});
}

// Of each rank of the class, by which executions are weighted; all alike where there are no scale factors.
std::map<Rank, double> weights_of(const DeltaClass& delta) {
  std::map<Rank, double> weights;
  for (const Rank rank : delta.ranks.ranks()) weights[rank] = 1;
  if (delta.scale_factors == nullptr) return weights;
  trace_io::ValueSequence::Cursor values(delta.scale_factors->values);
  for (const Rank rank : delta.scale_factors->ranks.ranks()) {
    const auto value = static_cast<double>(values.next());
    if (const auto found = weights.find(rank); found != weights.end()) found->second = value;
  }
  return weights;
}

// Its ranks have executed it equally often, as far as is known.
void scale(const DeltaClass& delta, trace_io::SiteId site, const ComputeScaling& scaling,
           std::vector<DeltaClass>& to) {
  const auto weights = weights_of(delta);
  double all_weights = 0;
  std::map<double, std::vector<Rank>> groups;  // by factor
  for (const auto& [rank, weight] : weights) {
    all_weights += weight;
    groups[scaling.factor(rank.value, site, delta)].push_back(rank);
  }
  for (const auto& [factor, ranks] : groups) {
    DeltaClass& scaled = to.emplace_back();
    scaled.ranks = trace_io::RankList::from_ranks(ranks);
    if (delta.durations.count() == 0) continue;
    const double share = static_cast<double>(ranks.size()) / static_cast<double>(weights.size());
    const auto count = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(
               std::llround(share * static_cast<double>(delta.durations.count()))));
    double mean = delta.durations.mean_ns();
    if (delta.scale_factors != nullptr && delta.scaled_count > 0) {
      double weight = 0;
      for (const Rank rank : ranks) weight += weights.at(rank);
      scaled.scale_factors = delta.scale_factors;
      scaled.scaled_count = std::max<std::uint64_t>(
          1, static_cast<std::uint64_t>(
                 std::llround(static_cast<double>(delta.scaled_count) * weight / all_weights)));
      mean *= static_cast<double>(delta.durations.count()) /
              static_cast<double>(delta.scaled_count) * static_cast<double>(scaled.scaled_count) /
              static_cast<double>(count);
    }
    scaled.durations = constant(count, mean * factor * static_cast<double>(count), ranks.front());
  }
}

}  // namespace

std::optional<ScaledTimes> scaled_times(const trace_io::Trace& trace,
                                        const platforms::Platform& platform,
                                        const ReplaySettings& settings) {
  const auto locations = platforms::place_ranks(static_cast<std::uint32_t>(trace.header.ranks),
                                                platform, settings.placement);
  const auto slowness = slowness_of(platform, locations);
  if (settings.compute.empty() && settings.compute_scale == 1 && slowness.empty())
    return std::nullopt;
  const ComputeScaling scaling(trace, settings.compute, settings.compute_scale, locations,
                               slowness);
  ScaledTimes scaled{trace, platform, settings};
  for (auto& thread : scaled.trace.threads)
    trace_io::for_each_leaf(thread, [&](trace_io::Leaf& leaf) {
      for (auto& path : leaf.compute) {
        std::vector<DeltaClass> classes;
        for (const DeltaClass& delta : path.classes) scale(delta, leaf.site, scaling, classes);
        trace_io::sort_by_lowest_rank(classes);
        path.classes = std::move(classes);
      }
    });
  scaled.trace.pools.clear();
  scaled.platform.nodes.relative_speed = 1;
  for (auto& group : scaled.platform.nodes.groups) group.relative_speed = 1;
  scaled.settings.compute.clear();
  scaled.settings.compute_scale = 1;
  // A rank moves as much as before in less time, or in more.
  if (scaling.smallest() > 0)
    scaled.settings.memory_traffic =
        BytesPerSecond{settings.memory_traffic.value / scaling.smallest()};
  return scaled;
}

}  // namespace reprise::sim
