// SPDX-License-Identifier: MIT
#include "trace-io/timing_tree/timing_node.hpp"

#include <algorithm>

namespace reprise::trace_io {

std::uint64_t TimingNode::partial(std::uint64_t child, std::uint64_t k) const {
  const auto found = std::ranges::upper_bound(left, child, {}, &Exit::after);
  return found == left.end() ? 0 : static_cast<std::uint64_t>(found->or_later.sum(k));
}

TimingNode::Ticks TimingNode::of_first(std::uint64_t k) const {
  if (fixed) return *fixed * static_cast<Ticks>(k);
  if (leaf != nullptr) return compute.sum(k) + communicate * static_cast<Ticks>(k);
  const auto passes = static_cast<std::uint64_t>(iterations.sum(k));
  Ticks time = fixed_before.back() * static_cast<Ticks>(passes);
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Ticks here =
        left[i].or_later.sum(k) - (i + 1 < left.size() ? left[i + 1].or_later.sum(k) : 0);
    time += fixed_before[left[i].after] * here;
  }
  for (const std::uint32_t child : varying)
    time += children[child]->of_first(passes + partial(child, k));
  return time;
}

bool TimingNode::repeats(std::uint64_t period) const {
  if (fixed) return true;
  if (leaf != nullptr) return compute.repeats(period);
  if (!iterations.repeats(period) || !exits.repeats(period)) return false;
  const std::uint64_t first = std::min(period, executions);
  const auto passes = static_cast<std::uint64_t>(iterations.sum(first));
  return std::ranges::all_of(varying, [&](std::uint32_t child) {
    return children[child]->repeats(passes + partial(child, first));
  });
}

void TimingNode::close() {
  if (loop != nullptr || leaf == nullptr) {
    fixed_before.assign(1, 0);
    for (std::size_t i = 0; i < children.size(); ++i) {
      const auto& time = children[i]->fixed;
      if (!time) varying.push_back(static_cast<std::uint32_t>(i));
      fixed_before.push_back(fixed_before.back() + time.value_or(0));
    }
  }
  if (executions == 0)
    fixed = 0;
  else if (executions == 1 || repeats(1))
    fixed = of_first(1);
}

}  // namespace reprise::trace_io
