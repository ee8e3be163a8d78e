// SPDX-License-Identifier: MIT
// A node of the timing tree: how long the first k executions of a call or loop take a rank.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "trace-io/timing_tree/prefix_sums.hpp"
#include "trace-io/timing_tree/timing_tree.hpp"

namespace reprise::trace_io {

struct TimingNode {
  using Ticks = TimingTree::Ticks;

  std::uint64_t executions = 0;
  std::optional<Ticks> fixed;  // the time of every execution, where it is one and the same

  // A call.
  const Leaf* leaf = nullptr;
  PrefixSums compute;  // ticks, by execution
  Ticks communicate = 0;

  // A loop. Its children are those of the body that the rank executes.
  const Loop* loop = nullptr;
  std::vector<std::unique_ptr<TimingNode>> children;
  ValueSequence iteration_values, exit_values;  // of the rank's executions, and perhaps more
  PrefixSums iterations, exits;
  // Where passes are left in the middle: how often after how many children, ascending.
  struct Exit {
    std::uint64_t after;
    PrefixSums or_later;  // 1 where an execution was left there or later
  };
  std::vector<Exit> left;
  std::vector<Ticks>
      fixed_before;  // of children of fixed time, those before each child; one more than children
  std::vector<std::uint32_t> varying;  // children of no fixed time

  // Passes through a child that was reached when a pass was left in the middle, in the first k executions.
  std::uint64_t partial(std::uint64_t child, std::uint64_t k) const;
  Ticks of_first(std::uint64_t k) const;  // executions; REQUIRES: k ≤ executions
  Ticks of_one(std::uint64_t k) const { return fixed ? *fixed : of_first(k + 1) - of_first(k); }
  bool repeats(std::uint64_t period) const;  // known to: the times of executions
  void close();                              // when the children are closed and `compute` is known
};

}  // namespace reprise::trace_io
