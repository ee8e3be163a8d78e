// SPDX-License-Identifier: MIT
#include "trace-io/iterations/main_loop.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>

namespace reprise::trace_io {
namespace {

constexpr std::string_view kThe = "the ", kTheMarked = "the marked ";

struct Weighed {
  const Loop* loop = nullptr;
  const RankList* ranks = nullptr;
  double seconds = 0;  // of all ranks
  bool is_outermost = true;
};

double seconds_of(const std::vector<DeltaClass>& classes) {
  double seconds = 0;
  for (const DeltaClass& one : classes) seconds += one.durations.sum().seconds().value;
  return seconds;
}

double seconds_of(const Node& node) {
  double seconds = 0;
  if (const auto* loop = std::get_if<Loop>(&node.content)) {
    for (const Node& inner : loop->body) seconds += seconds_of(inner);
    return seconds;
  }
  const Leaf& leaf = std::get<Leaf>(node.content);
  for (const PathDeltas& path : leaf.compute) seconds += seconds_of(path.classes);
  return seconds + seconds_of(leaf.communicate);
}

// Of one of its ranks.
std::uint64_t iterations_of(const Loop& loop) {
  return loop.iterations.empty() ? 0
                                 : static_cast<std::uint64_t>(loop.iterations.front().values.sum());
}

std::vector<Weighed> loops_in(const std::vector<Node>& nodes, bool are_outermost) {
  std::vector<Weighed> loops;
  for (const Node& node : nodes)
    if (const auto* loop = std::get_if<Loop>(&node.content))
      loops.push_back({loop, &node.ranks, seconds_of(node), are_outermost});
  std::ranges::stable_sort(loops, std::ranges::greater(), &Weighed::seconds);
  return loops;
}

Weighed inwards(Weighed chosen) {
  while (iterations_of(*chosen.loop) < kEnoughIterations) {
    const auto inner = loops_in(chosen.loop->body, false);
    if (inner.empty() || iterations_of(*inner.front().loop) <= iterations_of(*chosen.loop) ||
        inner.front().seconds < kNearlyAllTime * chosen.seconds)
      break;
    chosen = inner.front();
  }
  return chosen;
}

using MarkedCalls = std::map<SiteId, std::uint64_t>;

// Of the marked iterations of a rank.
MarkedCalls calls_of(const RankIterations& marked) {
  MarkedCalls calls;
  for (const IterationCluster& cluster : marked.clusters)
    for (const auto& [site, metrics] : cluster.sums) calls[site] += metrics[IterationMetric::calls];
  return calls;
}

void add_sites(const std::vector<Node>& nodes, Rank rank, std::set<SiteId>& sites) {
  for (const Node& node : nodes) {
    if (!node.ranks.contains(rank)) continue;
    if (const auto* loop = std::get_if<Loop>(&node.content))
      add_sites(loop->body, rank, sites);
    else
      sites.insert(std::get<Leaf>(node.content).site);
  }
}

std::uint64_t iterations_of(const Loop& loop, Rank rank) {
  for (const FieldEntry& entry : loop.iterations)
    if (entry.ranks.contains(rank)) return static_cast<std::uint64_t>(entry.values.sum());
  return 0;
}

struct Marked {
  MarkedCalls calls;
  std::uint64_t iterations = 0, all_calls = 0;
};

struct MarkedLoop {
  Weighed chosen;
  bool fits = false;  // most of the marked calls, and about as many iterations
  std::uint64_t covered = 0,
                apart = 0;  // marked calls at its sites; iterations too many or too few
  bool is_better_than(const MarkedLoop& other) const {
    if (fits != other.fits) return fits;
    if (covered != other.covered) return covered > other.covered;
    return covered > 0 && apart < other.apart;
  }
};

void find_marked(const std::vector<Node>& nodes, Rank rank, const Marked& marked,
                 bool are_outermost, MarkedLoop& best) {
  for (const Node& node : nodes) {
    const auto* loop = std::get_if<Loop>(&node.content);
    if (loop == nullptr || !node.ranks.contains(rank)) continue;
    std::set<SiteId> sites;
    add_sites(loop->body, rank, sites);
    MarkedLoop one{.chosen = {loop, &node.ranks, 0, are_outermost}};
    for (const auto& [site, count] : marked.calls) one.covered += sites.contains(site) ? count : 0;
    const std::uint64_t iterations = iterations_of(*loop, rank);
    one.apart = std::max(iterations, marked.iterations) - std::min(iterations, marked.iterations);
    one.fits = 2 * one.covered > marked.all_calls && 2 * one.apart <= marked.iterations;
    if (one.is_better_than(best)) best = one;
    find_marked(loop->body, rank, marked, false, best);
  }
}

// None where the marks fit no loop.
Weighed marked_loop(const Trace& trace, const RankIterations& marked) {
  Marked sought{.calls = calls_of(marked), .iterations = marked.sequence.size()};
  for (const auto& [site, count] : sought.calls) sought.all_calls += count;
  MarkedLoop best;
  find_marked(trace.threads.front(), marked.rank, sought, true, best);
  return best.fits ? best.chosen : Weighed{};
}

void add(MainLoops& main, const Trace& trace, const Weighed& chosen, std::vector<bool>& has_loop) {
  if (main.loops.empty()) main.name = loop_text(trace, *chosen.loop);
  main.loops.push_back(chosen.loop);
  main.are_outermost &= chosen.is_outermost;
  for (const Rank rank : chosen.ranks->ranks())
    has_loop[static_cast<std::size_t>(rank.value)] = true;
}

void add_marked(MainLoops& main, const Trace& trace, std::vector<bool>& has_loop) {
  for (const RankIterations& marked : trace.marked_iterations) {
    if (has_loop[static_cast<std::size_t>(marked.rank.value)]) continue;
    const Weighed chosen = marked_loop(trace, marked);
    if (chosen.loop != nullptr) add(main, trace, chosen, has_loop);
  }
  if (!main.loops.empty()) main.name.replace(0, kThe.size(), kTheMarked);
}

void add_by_time(MainLoops& main, const Trace& trace, std::vector<bool>& has_loop) {
  std::uint64_t iterations = 0;
  for (const Weighed& outer : loops_in(trace.threads.front(), true)) {
    const auto ranks = outer.ranks->ranks();
    if (std::ranges::any_of(
            ranks, [&](Rank rank) { return has_loop[static_cast<std::size_t>(rank.value)]; }))
      continue;
    const Weighed chosen = inwards(outer);
    if (main.loops.empty())
      iterations = iterations_of(*chosen.loop);
    else if (iterations_of(*chosen.loop) != iterations)
      continue;
    add(main, trace, chosen, has_loop);
  }
}

}  // namespace

std::string loop_text(const Trace& trace, const Loop& loop) {
  const Loop* inner = &loop;
  while (const auto* next = std::get_if<Loop>(&inner->body.front().content)) inner = next;
  return "the loop of " + site_text(trace, std::get<Leaf>(inner->body.front().content).site);
}

MainLoops main_loops(const Trace& trace) {
  MainLoops main;
  if (trace.threads.empty()) return main;
  std::vector<bool> has_loop(static_cast<std::size_t>(trace.header.ranks), false);
  add_marked(main, trace, has_loop);
  if (main.loops.empty()) add_by_time(main, trace, has_loop);
  for (std::size_t rank = 0; rank < has_loop.size(); ++rank)
    (has_loop[rank] ? main.ranks : main.others).push_back(Rank{static_cast<std::int32_t>(rank)});
  return main;
}

}  // namespace reprise::trace_io
