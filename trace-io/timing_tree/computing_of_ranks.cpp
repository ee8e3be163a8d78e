// SPDX-License-Identifier: MIT
#include "trace-io/timing_tree/computing_of_ranks.hpp"

#include <algorithm>
#include <variant>

#include "trace-io/check/executions.hpp"
#include "trace-io/timing_tree/timing_paths.hpp"

namespace reprise::trace_io {

ComputingOfRanks::ComputingOfRanks(const Trace& trace, std::size_t thread)
    : trace_(trace), thread_(thread) {
  walk_executions(
      trace.threads[thread], trace.header.recorded,
      [&](const NodeExecutions& node) {
        if (const auto* leaf = std::get_if<Leaf>(&node.node.content))
          executed_[leaf] = {{node.ranks.begin(), node.ranks.end()},
                             {node.executions.begin(), node.executions.end()}};
      },
      [](const Node&, const std::string&) {});
}

std::vector<double> ComputingOfRanks::of(const Leaf& leaf, const PathDeltas& path,
                                         const DeltaClass& delta) {
  const std::vector<Rank> ranks = delta.ranks.ranks();
  std::vector<double> times(ranks.size());
  const std::uint64_t all = delta.durations.count();
  if (all == 0) return times;
  const double sum = delta.durations.sum().seconds().value;
  if (ranks.size() == 1) return {sum};
  const auto each = executions(leaf, path, ranks, all);
  for (std::size_t i = 0; i < ranks.size(); ++i)
    times[i] = static_cast<double>(each[i]) * sum / static_cast<double>(all);
  if (!delta.is_scaled()) return times;
  ValueSequence::Cursor factors(delta.scale_factors->values);
  auto at = ranks.begin();
  for (const Rank rank : delta.scale_factors->ranks.ranks()) {
    const auto factor = static_cast<double>(factors.next());
    if (at == ranks.end() || *at != rank) continue;
    times[static_cast<std::size_t>(at - ranks.begin())] *=
        factor * static_cast<double>(all) / static_cast<double>(delta.scaled_count);
    ++at;
  }
  return times;
}

std::vector<double> ComputingOfRanks::variances(const Leaf& leaf, const PathDeltas& path,
                                                const DeltaClass& delta) {
  const std::vector<Rank> ranks = delta.ranks.ranks();
  std::vector<double> variances(ranks.size());
  const std::uint64_t all = delta.durations.count();
  if (all == 0) return variances;
  const auto each = ranks.size() == 1 ? std::vector{all} : executions(leaf, path, ranks, all);
  const auto sums = of(leaf, path, delta);
  constexpr double kNanosecond = 1e-9;
  const auto count = static_cast<double>(all);
  const double mean = delta.durations.sum().seconds().value / count;
  double between = 0;  // of the ranks' means, which is no scatter
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (each[i] == 0) continue;
    const auto own = static_cast<double>(each[i]);
    between += own / count * (sums[i] / own - mean) * (sums[i] / own - mean);
  }
  const double within =
      std::max(0.0, delta.durations.variance_ns2() * kNanosecond * kNanosecond - between);
  for (std::size_t i = 0; i < ranks.size(); ++i)
    variances[i] = each[i] == 1 ? sums[i] * sums[i] : static_cast<double>(each[i]) * within;
  return variances;
}

// Of the ranks, in order; all of them together `all`.
std::vector<std::uint64_t> ComputingOfRanks::executions(const Leaf& leaf, const PathDeltas& path,
                                                        const std::vector<Rank>& ranks,
                                                        std::uint64_t all) {
  std::vector<std::uint64_t> each;
  const Executed& executed = executed_[&leaf];
  for (const Rank rank : ranks) {
    const auto at = std::ranges::lower_bound(executed.ranks, rank);
    const bool is_known = at != executed.ranks.end() && *at == rank;
    each.push_back(
        is_known ? executed.executions[static_cast<std::size_t>(at - executed.ranks.begin())] : 0);
  }
  if (leaf.compute.size() == 1) return each;
  const bool is_even = std::ranges::adjacent_find(each, std::ranges::not_equal_to()) == each.end();
  if (is_even && all % each.size() == 0) {
    std::ranges::fill(each, all / each.size());
    return each;
  }
  if (!is_counted_) count_all();
  const auto& of_rank = counted_[&path];
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto rank = static_cast<std::size_t>(ranks[i].value);
    each[i] = rank < of_rank.size() ? of_rank[rank] : 0;
  }
  return each;
}

void ComputingOfRanks::count_all() {
  is_counted_ = true;
  for (const Rank rank : trace_.header.recorded.ranks())
    count_paths(trace_, thread_, rank,
                [&](const Leaf&, const PathDeltas& path, std::uint64_t executions) {
                  auto& of_rank = counted_[&path];
                  of_rank.resize(static_cast<std::size_t>(trace_.header.ranks));
                  of_rank[static_cast<std::size_t>(rank.value)] = executions;
                });
}

}  // namespace reprise::trace_io
