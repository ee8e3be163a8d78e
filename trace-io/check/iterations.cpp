// SPDX-License-Identifier: MIT
#include "trace-io/check/iterations.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include "trace-io/check/executions.hpp"
#include "trace-io/check/sequence_sums.hpp"
#include "trace-io/iterations/ranks_iterations.hpp"

namespace reprise::trace_io {
namespace {

using Calls = std::map<SiteId, std::uint64_t>;

struct Executed {
  std::vector<Rank> ranks;
  std::vector<std::uint64_t> executions;

  // None where the rank does not execute the node.
  const std::uint64_t* of(Rank rank) const {
    const auto at = std::ranges::lower_bound(ranks, rank);
    if (at == ranks.end() || *at != rank) return nullptr;
    return &executions[static_cast<std::size_t>(at - ranks.begin())];
  }
};
using ExecutedNodes = std::unordered_map<const Node*, Executed>;  // looked up only

ExecutedNodes executions_of(const Trace& trace, std::size_t thread) {
  ExecutedNodes nodes;
  walk_executions(
      trace.threads[thread], trace.header.recorded,
      [&](const NodeExecutions& one) {
        nodes[&one.node] = {{one.ranks.begin(), one.ranks.end()},
                            {one.executions.begin(), one.executions.end()}};
      },
      [](const Node&, const std::string&) {});
  return nodes;
}

void count_calls(const std::vector<Node>& nodes, Rank rank, const ExecutedNodes& executed,
                 Calls& calls) {
  for (const Node& node : nodes) {
    const std::uint64_t* times = executed.at(&node).of(rank);
    if (times == nullptr) continue;
    if (const auto* loop = std::get_if<Loop>(&node.content))
      count_calls(loop->body, rank, executed, calls);
    else
      calls[std::get<Leaf>(node.content).site] += *times;
  }
}

const ValueSequence& values_of(const FieldValues& field, Rank rank) {
  return std::ranges::find_if(field,
                              [&](const FieldEntry& entry) { return entry.ranks.contains(rank); })
      ->values;
}

// Full passes over the body and those left in the middle.
WideSigned passes_of(const Loop& loop, Rank rank, std::uint64_t executions) {
  const SequenceSums iterations(values_of(loop.iterations, rank)),
      exits(values_of(loop.exits, rank));
  return iterations.sum(executions) + exits.count_above(executions, 0);
}

// What is wrong within; empty where nothing is. The calls of all clusters are added to `calls`.
std::string clusters_problem(const RankIterations& one, Calls& calls) {
  const std::uint64_t iterations = one.sequence.size();
  if (iterations == 0) return "no iterations";
  if (one.limit == 0 || one.limit > kMostClusters)
    return "a limit of " + std::to_string(one.limit) + " clusters";
  const SequenceSums labels(one.sequence);
  const auto count = static_cast<std::int64_t>(one.clusters.size());
  if (labels.least() < 0 || labels.greatest() >= count)
    return "an iteration of cluster " +
           std::to_string(labels.least() < 0 ? labels.least() : labels.greatest()) +
           ", there are " + std::to_string(count);
  for (std::int64_t label = 0; label < count; ++label) {
    const IterationCluster& cluster = one.clusters[static_cast<std::size_t>(label)];
    const std::string name = "cluster " + std::to_string(label);
    if (cluster.sums.empty()) return name + " has no profile";
    const std::uint64_t size =
        labels.count_above(iterations, label - 1) - labels.count_above(iterations, label);
    if (size != cluster.size || size == 0)
      return name + " has " + std::to_string(cluster.size) + " iterations, the sequence gives it " +
             std::to_string(size);
    for (std::size_t i = 0; i < cluster.sums.size(); ++i) {
      const auto& [site, metrics] = cluster.sums[i];
      if (i > 0 && site <= cluster.sums[i - 1].site) return name + ": sites not in their order";
      const std::uint64_t its = metrics[IterationMetric::calls];
      if (its < (one.call_trees == CallTrees::any ? 1 : size) || its >= kMaxExecutions)
        return name + ": " + std::to_string(its) + " calls of a site that it visits";
      calls[site] += its;
    }
  }
  return "";
}

std::string rank_problem(const Trace& trace, const RankIterations& one, const Node& node,
                         const ExecutedNodes& executed) {
  const Loop& loop = std::get<Loop>(node.content);
  const std::uint64_t* executions = executed.at(&node).of(one.rank);
  if (executions == nullptr) return "it does not execute the loop";
  Calls calls, made;
  if (std::string problem = clusters_problem(one, calls); !problem.empty()) return problem;
  const WideSigned passes = passes_of(loop, one.rank, *executions);
  if (passes != static_cast<WideSigned>(one.sequence.size()))
    return "a sequence of " + std::to_string(one.sequence.size()) + ", but the loop has " +
           std::to_string(static_cast<std::uint64_t>(passes));
  count_calls(loop.body, one.rank, executed, made);
  std::erase_if(made, [](const auto& entry) { return entry.second == 0; });
  if (calls == made) return "";
  for (const auto& [site, its] : calls)
    if (made[site] != its)
      return std::to_string(its) + " calls of " + site_text(trace, site) + ", the loop has " +
             std::to_string(made[site]);
  return "no calls of some sites of the loop";
}

std::string marked_problem(const Trace& trace, const RankIterations& one) {
  Calls calls, made;
  if (!trace.header.recorded.contains(one.rank) || trace.threads.empty())
    return "nothing was recorded of it";
  if (std::string problem = clusters_problem(one, calls); !problem.empty()) return problem;
  count_calls(trace.threads[0], one.rank, executions_of(trace, 0), made);
  for (const auto& [site, its] : calls)
    if (made[site] < its)
      return std::to_string(its) + " calls of " + site_text(trace, site) + ", it made " +
             std::to_string(made[site]);
  return "";
}

std::string place_of(Rank rank) {
  return "iterations of rank " + std::to_string(rank.value) + ": ";
}

template <class Refuse>
void check_ranks(const std::vector<RankIterations>& all, const Refuse& refuse) {
  for (std::size_t i = 1; i < all.size(); ++i)
    if (!(all[i - 1].rank < all[i].rank)) refuse(place_of(all[i].rank) + "not in the ranks' order");
}

void check_loops(const Trace& trace, std::size_t thread, const std::vector<Node>& nodes,
                 const ExecutedNodes& executed,
                 const std::function<void(std::size_t, const Node*, const std::string&)>& add) {
  for (const Node& node : nodes) {
    const auto* loop = std::get_if<Loop>(&node.content);
    if (loop == nullptr) continue;
    check_ranks(loop->clusters, [&](const std::string& problem) { add(thread, &node, problem); });
    for (const RankIterations& one : loop->clusters)
      if (const std::string problem = rank_problem(trace, one, node, executed); !problem.empty())
        add(thread, &node, place_of(one.rank) + problem);
    check_loops(trace, thread, loop->body, executed, add);
  }
}

}  // namespace

void check_iterations(
    const Trace& trace,
    const std::function<void(std::size_t, const Node*, const std::string&)>& add) {
  if (!has_iterations(trace)) return;
  for (std::size_t thread = 0; thread < trace.threads.size(); ++thread)
    check_loops(trace, thread, trace.threads[thread], executions_of(trace, thread), add);
  check_ranks(trace.marked_iterations,
              [&](const std::string& problem) { add(0, nullptr, problem); });
  for (const RankIterations& one : trace.marked_iterations)
    if (const std::string problem = marked_problem(trace, one); !problem.empty())
      add(0, nullptr, place_of(one.rank) + problem);
}

}  // namespace reprise::trace_io
