// SPDX-License-Identifier: MIT
// Which execution of the loops around each execution of a node belongs to: what aligns the values of nodes that are executed unequally often.
//
// How     execution e of a loop runs its body n(e) times, and the nodes before its exit once more. So execution j of a node in it belongs to the execution e of the
//         loop in which the rank reaches it for the j-th time, and likewise further out.
// Cost    O(executions of the node and of the loops around, and nodes before it) for each node and rank asked for; none where nobody asks. All questions together:
//         at most kFreeSteps, and kStepsOfOne for each execution asked for, so that a damaged file takes no longer than a sound one of its size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Of one loop around a node.
struct LoopPlaces {
  std::uint64_t executions = 0;  // of the loop
  std::vector<std::uint32_t>
      place;  // by execution of the node, as far as they are known: which execution of the loop
};

// The rank that is asked for where all of these have the same values; none of no ranks.
inline std::optional<Rank> first_of(const RankList& ranks) {
  if (ranks.empty()) return std::nullopt;
  return ranks.front();
}

class LoopsAround {
 public:
  static constexpr std::size_t kLevels = 3;  // loops around that are looked at, innermost first

  // The loop and its body so far must outlive leave().
  void enter(const Loop& loop) { loops_.push_back({&loop, 0}); }
  void leave() { loops_.pop_back(); }
  // That what follows is node number `index` of the innermost loop's body.
  void at(std::size_t index) {
    if (!loops_.empty()) loops_.back().index = index;
  }

  // Innermost first; fewer, or shorter, where the loops say less than `executions`, have more of their own than kFree + kOfOne for each of these, or steps run
  // out. REQUIRES: who reads asks the same questions in the same order as who wrote.
  std::vector<LoopPlaces> of(Rank, std::uint64_t executions);

  static constexpr std::uint64_t kFreeSteps = std::uint64_t{1} << 22U, kStepsOfOne = 64;

 private:
  static constexpr std::uint64_t kFree = 1024, kOfOne = 16;
  bool takes(std::uint64_t steps) {
    if (steps > steps_) return false;
    steps_ -= steps;
    return true;
  }
  struct Around {
    const Loop* loop;
    std::size_t index;
  };
  std::vector<Around> loops_;
  std::uint64_t steps_ = kFreeSteps;  // left
};

}  // namespace reprise::trace_io
