// SPDX-License-Identifier: MIT
#include "trace-io/iterations/ranks_iterations.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace reprise::trace_io {
namespace {

// Where a site is in the profile of a cluster.
struct Visited {
  IterationCluster* cluster;
  std::uint64_t* sum;
};

// The sum of a time at one site in all clusters that visit it.
void round_time(std::vector<Visited>& all) {
  Visited& largest = *std::ranges::max_element(
      all, {}, [](const Visited& one) { return std::pair(one.cluster->size, *one.sum); });
  std::uint64_t total = 0, others = 0;
  std::vector<std::uint64_t> sums;
  for (const Visited& one : all) {
    total += *one.sum;
    const std::uint64_t mean = *one.sum / one.cluster->size +
                               (*one.sum % one.cluster->size * 2 >= one.cluster->size ? 1 : 0);
    sums.push_back(&one == &largest ? 0 : kRoundedMeans.rounded(mean) * one.cluster->size);
    others += sums.back();
  }
  if (others > total) return;
  const std::uint64_t rest = total - others, before = *largest.sum;
  if ((rest > before ? rest - before : before - rest) > before / 16) return;
  for (std::size_t i = 0; i < all.size(); ++i) *all[i].sum = &all[i] == &largest ? rest : sums[i];
}

}  // namespace

std::vector<RankIterations> united_iterations(std::vector<RankIterations> a,
                                              std::vector<RankIterations> b) {
  std::vector<RankIterations> both;
  both.reserve(a.size() + b.size());
  std::merge(std::make_move_iterator(a.begin()), std::make_move_iterator(a.end()),
             std::make_move_iterator(b.begin()), std::make_move_iterator(b.end()),
             std::back_inserter(both),
             [](const RankIterations& x, const RankIterations& y) { return x.rank < y.rank; });
  return both;
}

void renumber(std::vector<RankIterations>& ranks, const std::vector<SiteId>& sites) {
  for (RankIterations& rank : ranks)
    for (IterationCluster& cluster : rank.clusters) {
      for (SiteMetrics& one : cluster.sums) one.site = sites.at(one.site);
      std::ranges::sort(cluster.sums, {}, &SiteMetrics::site);
    }
}

void renumber_iterations(std::vector<Node>& nodes, const std::vector<SiteId>& sites) {
  for_each_clustered_loop(nodes, [&](Loop& loop) { renumber(loop.clusters, sites); });
}

void round_iterations(RankIterations& rank) {
  for (const auto metric : {IterationMetric::compute, IterationMetric::communicate}) {
    std::map<SiteId, std::vector<Visited>> by_site;
    for (IterationCluster& cluster : rank.clusters)
      for (auto& [site, metrics] : cluster.sums)
        by_site[site].push_back({&cluster, &metrics[metric]});
    for (auto& [site, all] : by_site) round_time(all);
  }
}

void round_iterations(Trace& trace) {
  for (RankIterations& rank : trace.marked_iterations) round_iterations(rank);
  for (auto& program : trace.threads)
    for_each_clustered_loop(program, [](Loop& loop) {
      for (RankIterations& rank : loop.clusters) round_iterations(rank);
    });
}

bool has_iterations(const Trace& trace) {
  bool found = !trace.marked_iterations.empty();
  for (const auto& program : trace.threads)
    for_each_clustered_loop(program, [&](const Loop&) { found = true; });
  return found;
}

}  // namespace reprise::trace_io
