// SPDX-License-Identifier: MIT
#include "trace-io/order/unordered_paths.hpp"

#include <algorithm>

namespace reprise::trace_io {
namespace {

template <class Visit>
void for_each_path(const Trace& trace, const Visit& visit) {
  for (const auto& program : trace.threads)
    for_each_leaf(program, [&](const Leaf& leaf) {
      for (const PathDeltas& path : leaf.compute) visit(path);
    });
}

struct PathSum {
  double seconds = 0, ranks = 0;
};
PathSum sum_of(const PathDeltas& path) {
  PathSum sum;
  for (const DeltaClass& delta : path.classes) {
    sum.seconds += delta.durations.sum().seconds().value;
    sum.ranks += static_cast<double>(delta.ranks.size());
  }
  return sum;
}

bool is_once(const DeltaClass& delta) {
  return delta.durations.count() <= static_cast<std::uint64_t>(delta.ranks.size());
}

// Times of a pool are those of other calls as well.
bool is_constant(const DeltaClass& delta) {
  if (delta.durations.count() == 0) return true;
  return delta.pool == DeltaClass::kOwnTimes &&
         delta.durations.min().value == delta.durations.max().value;
}

}  // namespace

UnorderedPaths unordered_paths(const Trace& trace) {
  double computing = 0;  // of a rank
  for_each_path(trace, [&](const PathDeltas& path) { computing += sum_of(path).seconds; });
  computing /= std::max(1, trace.header.ranks);
  UnorderedPaths counts;
  for_each_path(trace, [&](const PathDeltas& path) {
    const auto has_order = [](const DeltaClass& delta) { return delta.order != nullptr; };
    if (std::ranges::any_of(path.classes, has_order)) return;
    const PathSum sum = sum_of(path);
    if (std::ranges::all_of(path.classes, is_once))
      ++counts.once;
    else if (std::ranges::all_of(path.classes, is_constant))
      ++counts.constant;
    else if (sum.seconds < UnorderedPaths::kBriefShare * computing * sum.ranks)
      ++counts.brief;
    else
      ++counts.others;
  });
  return counts;
}

}  // namespace reprise::trace_io
