// SPDX-License-Identifier: MIT
#include "sim/experiment/levelled.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "trace-io/iterations/main_loop.hpp"
#include "trace-io/timing_tree/computing_of_ranks.hpp"

namespace reprise::sim {
namespace {

using trace_io::DeltaClass;
using trace_io::Leaf;
using trace_io::Loop;
using trace_io::Node;
using trace_io::RankList;

constexpr double kAlike = 1e-3;  // of the longest: less is no difference, as in pattern_of()
constexpr double kIdle = 1e-4;   // of the mean

// All ranks take the mean of all executions on each path.
void level_paths(Leaf& leaf) {
  for (auto& path : leaf.compute) {
    if (path.classes.empty()) continue;
    DeltaClass pooled = path.classes.front();
    for (std::size_t i = 1; i < path.classes.size(); ++i) {
      pooled.ranks = pooled.ranks.united(path.classes[i].ranks);
      pooled.durations.merge(path.classes[i].durations);
    }
    pooled.scale_factors = nullptr;
    pooled.scaled_count = 0;
    pooled.order = nullptr;
    path.classes.clear();
    path.classes.push_back(std::move(pooled));
  }
}

// Scale factors are whole numbers: as fine as they and the scaled count, N times that of factor 1, allow.
void scale(const std::map<Rank, double>& factors, DeltaClass& levelled) {
  const std::uint64_t executions = levelled.durations.count();
  if (executions == 0) return;
  double largest = 1;
  for (const Rank rank : levelled.ranks.ranks())
    if (const auto found = factors.find(rank); found != factors.end())
      largest = std::max(largest, found->second);
  constexpr double kMostScaled = 1e18;
  const double one = std::max(
      1.0, std::floor(std::min(static_cast<double>(trace_io::RankScaleFactors::kLargest) / largest,
                               kMostScaled / static_cast<double>(executions))));
  trace_io::RankScaleFactors scale_factors{levelled.ranks, {}};
  for (const Rank rank : levelled.ranks.ranks()) {
    const auto found = factors.find(rank);
    scale_factors.values.append(static_cast<std::int64_t>(
        std::llround(one * (found == factors.end() ? 1 : found->second))));
  }
  levelled.scale_factors =
      std::make_shared<const trace_io::RankScaleFactors>(std::move(scale_factors));
  levelled.scaled_count = executions * static_cast<std::uint64_t>(one);
}

bool all_of(const RankList& ranks, const RankList& are_in) { return ranks.minus(are_in).empty(); }

void add_sites(const Node& node, std::set<trace_io::SiteId>& sites) {
  if (const auto* leaf = std::get_if<Leaf>(&node.content))
    sites.insert(leaf->site);
  else
    for (const Node& inner : std::get<Loop>(node.content).body) add_sites(inner, sites);
}

}  // namespace

// Walks the program once; each path of a call is put into one stretch.
class Levelled::Finder {
 public:
  // The program has its paths levelled.
  Finder(const trace_io::Trace& levelled, std::vector<Stretch>& stretches)
      : trace_(levelled), computing_(levelled, 0), stretches_(stretches) {
    trace_io::for_each_leaf(levelled.threads.front(), [&](const Leaf& leaf) {
      taken_.emplace_back(leaf.compute.size(), false);
    });
    divide(levelled.threads.front(), levelled.header.recorded, false, 0);
  }

 private:
  // Nodes that follow each other, or a loop's body; returns the number of the call behind them.
  std::size_t divide(const std::vector<Node>& nodes, const RankList& ranks, bool is_loop,
                     std::size_t call) {
    Stretch open{ranks};
    std::size_t first = kNone;
    const auto close = [&] {
      if (first == kNone) first = stretches_.size();
      stretches_.push_back(std::exchange(open, Stretch{ranks}));
    };
    for (const Node& node : nodes) {
      const auto* loop = std::get_if<Loop>(&node.content);
      const std::size_t begin = call;
      if (!all_of(ranks, node.ranks)) {
        call = take(node, open, call, nullptr);
        if (loop != nullptr)
          open.loops.push_back({trace_io::loop_text(trace_, *loop), node.ranks, begin, call});
      } else if (loop == nullptr) {
        call = take(node, open, call, nullptr);
        close();
      } else {
        std::set<trace_io::SiteId> within;
        add_sites(node, within);
        take(node, open, call, &within);
        close();
        call = divide(loop->body, ranks, true, call);
      }
    }
    if (!is_loop || first == kNone) {
      close();
      return call;
    }
    auto& head = stretches_[first];
    for (Part& part : open.parts) head.parts.push_back(std::move(part));
    head.loops.insert(head.loops.end(), open.loops.begin(), open.loops.end());
    return call;
  }

  // The paths into the node's calls that are in no stretch yet; with `within`, those from calls at other sites only.
  std::size_t take(const Node& node, Stretch& stretch, std::size_t call,
                   const std::set<trace_io::SiteId>* within) {
    if (const auto* loop = std::get_if<Loop>(&node.content)) {
      for (const Node& inner : loop->body) call = take(inner, stretch, call, within);
      return call;
    }
    const Leaf& leaf = std::get<Leaf>(node.content);
    for (std::size_t i = 0; i < leaf.compute.size(); ++i) {
      const auto& path = leaf.compute[i];
      if (taken_[call][i] || path.classes.empty()) continue;
      if (within != nullptr &&
          (path.predecessor == trace_io::kNoSite || within->contains(path.predecessor)))
        continue;
      taken_[call][i] = true;
      const DeltaClass& delta = path.classes.front();
      const auto times = computing_.of(leaf, path, delta);
      if (times.empty()) continue;
      const auto [least, most] = std::ranges::minmax(times);
      if (most <= 0 || (most - least <= kAlike * most && all_of(stretch.ranks, delta.ranks)))
        continue;
      Part part{call, i};
      const auto ranks = delta.ranks.ranks();
      for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        part.times.emplace_back(ranks[rank], times[rank]);
      stretch.parts.push_back(std::move(part));
    }
    return call + 1;
  }

  static constexpr std::size_t kNone = SIZE_MAX;
  const trace_io::Trace& trace_;
  trace_io::ComputingOfRanks computing_;
  std::vector<Stretch>& stretches_;
  std::vector<std::vector<bool>> taken_;  // by call and path
};

Levelled::Levelled(const trace_io::Trace& trace) : trace_(trace) {
  trace_io::Trace all = trace;
  trace_io::for_each_leaf(all.threads.front(), level_paths);
  const Finder finder(all, stretches_);
  std::erase_if(stretches_, [](const Stretch& one) { return one.parts.empty(); });
}

trace_io::Trace Levelled::in(const std::set<std::size_t>& calls,
                             const std::vector<Rank>& ranks) const {
  trace_io::Trace result = trace_;
  std::vector<Leaf*> leaves;
  trace_io::for_each_leaf(result.threads.front(), [&](Leaf& leaf) {
    if (calls.contains(leaves.size())) level_paths(leaf);
    leaves.push_back(&leaf);
  });
  for (const Stretch& stretch : stretches_) {
    std::map<Rank, double> sums;
    for (const Rank rank : ranks)
      if (stretch.ranks.contains(rank)) sums[rank] = 0;
    double all = 0;
    const auto is_meant = [&](const Part& part) { return calls.contains(part.call); };
    for (const Part& part : stretch.parts)
      if (is_meant(part))
        for (const auto& [rank, time] : part.times)
          if (const auto sum = sums.find(rank); sum != sums.end()) {
            sum->second += time;
            all += time;
          }
    if (all <= 0) continue;
    const double mean = all / static_cast<double>(sums.size());
    for (auto& [rank, sum] : sums) sum = sum < kIdle * mean ? 1 : mean / sum;  // factors now
    for (const Part& part : stretch.parts)
      if (is_meant(part)) scale(sums, leaves[part.call]->compute[part.path].classes.front());
  }
  return result;
}

std::vector<Levelled::SideBySide> Levelled::side_by_side() const {
  std::vector<SideBySide> found;
  for (const Stretch& stretch : stretches_) {
    const auto& loops = stretch.loops;
    if (loops.size() < 2 || std::ranges::all_of(loops, [&](const LoopCalls& one) {
          return one.ranks == loops.front().ranks;
        }))
      continue;
    SideBySide& one = found.emplace_back();
    constexpr std::size_t kNamed = 3;
    for (std::size_t i = 0; i < loops.size(); ++i) {
      one.calls.emplace_back(loops[i].begin, loops[i].end);
      if (i < kNamed)
        one.text += (i == 0 ? "" : i + 1 == loops.size() ? " and " : ", ") + loops[i].text;
    }
    if (loops.size() > kNamed)
      one.text += " and " + std::to_string(loops.size() - kNamed) + " more";
  }
  return found;
}

}  // namespace reprise::sim
