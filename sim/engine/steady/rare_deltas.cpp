// SPDX-License-Identifier: MIT
#include "sim/engine/steady/rare_deltas.hpp"

#include <algorithm>

namespace reprise::sim {
namespace {

// The mean of the class's slowest rank over that of the class, or more.
double slowest(const trace_io::DeltaClass& delta) {
  if (delta.scale_factors == nullptr || delta.scaled_count == 0) return 1;
  std::int64_t largest = 0;
  for (const auto& term : delta.scale_factors->values.terms())
    if (!term.is_loop)
      largest = std::max({largest, term.start,
                          term.start + term.stride * static_cast<std::int64_t>(term.count - 1)});
  return static_cast<double>(largest) * static_cast<double>(delta.durations.count()) /
         static_cast<double>(delta.scaled_count);
}

}  // namespace

RareDeltas::RareDeltas(const trace_io::Loop& loop, bool but_ordered) {
  const double iterations = static_cast<double>(loop.iterations.front().values.sum());
  if (iterations < 1) return;
  collect(loop.body, iterations, but_ordered);
  std::sort(bins_.begin(), bins_.end(),
            [](const Bin& a, const Bin& b) { return a.per_iteration < b.per_iteration; });
}

void RareDeltas::collect(const std::vector<trace_io::Node>& nodes, double iterations,
                         bool but_ordered) {
  for (const trace_io::Node& node : nodes) {
    if (const auto* loop = std::get_if<trace_io::Loop>(&node.content)) {
      collect(loop->body, iterations, but_ordered);
      continue;
    }
    for (const auto& path : std::get<trace_io::Leaf>(node.content).compute) {
      for (const auto& one : path.classes) {
        if (one.order != nullptr && but_ordered) {
          follows_order_ = true;
          repeats_blocks_ = repeats_blocks_ || one.order->stride > 0;
          continue;
        }
        const double scale = slowest(one) * 1e-9;
        for (const auto& bin : one.durations.bins()) {
          if (bin.count == 0) continue;
          const double excess = static_cast<double>(bin.sum) / static_cast<double>(bin.count) -
                                one.durations.mean_ns();
          if (excess > 0)
            bins_.push_back({static_cast<double>(bin.count) / iterations, excess * scale});
        }
      }
    }
  }
}

double RareDeltas::unseen(std::uint64_t iterations) const {
  double seconds = 0;
  for (const Bin& bin : bins_) {
    if (bin.per_iteration * static_cast<double>(iterations) >= kSeen) break;
    seconds += bin.per_iteration * bin.excess;
  }
  return seconds;
}

}  // namespace reprise::sim
