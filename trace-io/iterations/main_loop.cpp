// SPDX-License-Identifier: MIT
#include "trace-io/iterations/main_loop.hpp"

#include <algorithm>
#include <functional>

namespace reprise::trace_io {
namespace {

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
  std::uint64_t iterations = 0;
  for (const Weighed& outer : loops_in(trace.threads.front(), true)) {
    const auto ranks = outer.ranks->ranks();
    if (std::ranges::any_of(
            ranks, [&](Rank rank) { return has_loop[static_cast<std::size_t>(rank.value)]; }))
      continue;
    const Weighed chosen = inwards(outer);
    if (main.loops.empty()) {
      iterations = iterations_of(*chosen.loop);
      main.name = loop_text(trace, *chosen.loop);
    } else if (iterations_of(*chosen.loop) != iterations) {
      continue;
    }
    main.loops.push_back(chosen.loop);
    main.are_outermost &= chosen.is_outermost;
    for (const Rank rank : chosen.ranks->ranks())
      has_loop[static_cast<std::size_t>(rank.value)] = true;
  }
  for (std::size_t rank = 0; rank < has_loop.size(); ++rank)
    (has_loop[rank] ? main.ranks : main.others).push_back(Rank{static_cast<std::int32_t>(rank)});
  return main;
}

}  // namespace reprise::trace_io
