// SPDX-License-Identifier: MIT
#include "sim/engine/critical_path/path_steps.hpp"

namespace reprise::sim {

void PathSteps::add(List& list, const PathStep& step) {
  if (list.last != kNone) {
    PathStep& last = rows_[list.last].step;
    if (last.rank == step.rank && last.part == step.part && last.site == step.site &&
        last.to == step.from) {
      last.to = step.to;
      return;
    }
  }
  std::uint32_t made = free_;
  if (made == kNone) {
    made = static_cast<std::uint32_t>(rows_.size());
    rows_.emplace_back();
  } else {
    free_ = rows_[made].next;
    --free_count_;
  }
  rows_[made] = {step, kNone};
  if (list.last == kNone)
    list.first = made;
  else
    rows_[list.last].next = made;
  list.last = made;
}

PathSteps::List PathSteps::joined(List earlier, List later) {
  if (earlier.last == kNone) return later;
  if (later.last == kNone) return earlier;
  rows_[earlier.last].next = later.first;
  return {earlier.first, later.last};
}

void PathSteps::drop(List& list) {
  if (list.last == kNone) return;
  for (std::uint32_t row = list.first; row != kNone; row = rows_[row].next) ++free_count_;
  rows_[list.last].next = free_;
  free_ = list.first;
  list = {};
}

std::vector<PathStep> PathSteps::steps(List list) const {
  std::vector<PathStep> steps;
  for (std::uint32_t row = list.first; row != kNone; row = rows_[row].next)
    steps.push_back(rows_[row].step);
  return steps;
}

}  // namespace reprise::sim
