// SPDX-License-Identifier: MIT
#include "trace-io/timing_tree/timing_tree.hpp"

#include <algorithm>
#include <cmath>

#include "trace-io/timing_tree/timing_node.hpp"
#include "trace-io/timing_tree/timing_paths.hpp"

namespace reprise::trace_io {
namespace {

using Ticks = TimingTree::Ticks;

// One pass over a loop's children, the first `reached` of them.
struct Pass {
  const TimingNode& loop;
  std::uint64_t execution, number;
  std::size_t reached;

  // Which execution of the child this pass has.
  std::uint64_t execution_of(std::size_t child) const {
    return static_cast<std::uint64_t>(loop.iterations.sum(execution)) +
           loop.partial(child, execution) + number;
  }
};

struct Found {
  std::size_t child;
  Ticks begin;  // since the pass began
};

// The child in whose stretch the time lies. REQUIRES: there is one.
Found child_at(const Pass& pass, Ticks time) {
  const auto& before = pass.loop.fixed_before;
  Ticks varied = 0;  // by the children of varying time so far
  for (const std::uint32_t child : pass.loop.varying) {
    if (child >= pass.reached || time < before[child] + varied) break;
    const Ticks takes = pass.loop.children[child]->of_one(pass.execution_of(child));
    if (time < before[child] + varied + takes) return {child, before[child] + varied};
    varied += takes;
  }
  const auto next = std::ranges::upper_bound(before, time - varied);
  const auto child = static_cast<std::size_t>(next - before.begin()) - 1;
  return {child, before[child] + varied};
}

// What the first passes of an execution take.
Ticks passes_take(const TimingNode& loop, std::uint64_t execution, std::uint64_t passes) {
  Ticks time = loop.fixed_before.back() * static_cast<Ticks>(passes);
  const auto before = static_cast<std::uint64_t>(loop.iterations.sum(execution));
  for (const std::uint32_t child : loop.varying) {
    const std::uint64_t first = before + loop.partial(child, execution);
    time += loop.children[child]->of_first(first + passes) - loop.children[child]->of_first(first);
  }
  return time;
}

// The last pass that begins no later than the time and is not over then.
std::uint64_t pass_at(const TimingNode& loop, std::uint64_t execution, std::uint64_t passes,
                      Ticks time) {
  if (loop.varying.empty()) {
    const Ticks body = loop.fixed_before.back();
    return body == 0 ? passes : std::min(passes, static_cast<std::uint64_t>(time / body));
  }
  std::uint64_t low = 0, high = passes;  // how many are over: at least, at most
  while (low < high) {
    const std::uint64_t middle = low + (high - low + 1) / 2;
    if (passes_take(loop, execution, middle) <= time)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

}  // namespace

TimingTree::TimingTree(const Trace& trace, std::size_t thread, Rank rank, const Duration& duration)
    : root_(timed_program(trace, thread, rank, duration)) {}
TimingTree::TimingTree(TimingTree&&) noexcept = default;
TimingTree::~TimingTree() = default;

TimingTree::Ticks TimingTree::ticks(Seconds time) {
  return static_cast<Ticks>(std::round(static_cast<long double>(std::min(time.value, 1e25)) *
                                       static_cast<long double>(kTicks)));
}

TimingTree::Ticks TimingTree::total() const { return root_->of_first(1); }

std::optional<TimingTree::Place> TimingTree::at(Ticks time) const {
  if (time < 0 || time >= total()) return std::nullopt;
  Place place;
  const TimingNode* node = root_.get();
  std::uint64_t execution = 0;
  Ticks begin = 0;
  while (node->leaf == nullptr) {
    const auto passes = static_cast<std::uint64_t>(node->iterations.at(execution));
    const std::uint64_t number = pass_at(*node, execution, passes, time - begin);
    begin += passes_take(*node, execution, number);
    if (node->loop != nullptr) place.loops.push_back({node->loop, number, passes});
    const std::size_t reached =
        number < passes
            ? node->children.size()
            : std::min(node->children.size(), static_cast<std::size_t>(node->exits.at(execution)));
    const Pass pass{*node, execution, number, reached};
    const Found found = child_at(pass, time - begin);
    begin += found.begin;
    execution = pass.execution_of(found.child);
    node = node->children[found.child].get();
  }
  place.site = node->leaf->site;
  place.begin = begin;
  place.enter = begin + node->compute.at(execution);
  place.end = place.enter + node->communicate;
  return place;
}

}  // namespace reprise::trace_io
