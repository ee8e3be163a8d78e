// SPDX-License-Identifier: MIT
#include "trace-io/merge/shortest_edit.hpp"

#include <algorithm>

namespace reprise::trace_io {
namespace {

using Index = std::int64_t;

// Furthest points in a on the diagonals −d … d (a's index minus b's index), after d differences.
struct Reach {
  Index d;
  std::vector<Index> furthest;  // only every second diagonal is used; the others are −1
  Index at(Index diagonal) const {
    return diagonal < -d || diagonal > d ? -1 : furthest[static_cast<std::size_t>(diagonal + d)];
  }
};

// Whether the path to `diagonal` came down from the one above (a token of b without a partner).
bool came_from_above(const Reach& before, Index diagonal) {
  return before.at(diagonal + 1) > before.at(diagonal - 1);
}

IndexPairs path_back(const std::vector<Reach>& reaches, Index a_size, Index b_size) {
  IndexPairs pairs;
  Index x = a_size, y = b_size;
  for (std::size_t d = reaches.size() - 1; d > 0; --d) {
    const Reach& before = reaches[d - 1];
    const bool above = came_from_above(before, x - y);
    const Index start_x = before.at(above ? x - y + 1 : x - y - 1);
    const Index start_y = start_x - (above ? x - y + 1 : x - y - 1);
    const Index snake_x = above ? start_x : start_x + 1;
    while (x > snake_x) pairs.emplace_back(--x, --y);
    x = start_x;
    y = start_y;
  }
  while (x > 0) pairs.emplace_back(--x, --y);
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

std::optional<IndexPairs> longest_common_subsequence(std::span<const std::uint64_t> a,
                                                     std::span<const std::uint64_t> b) {
  const Index n = std::ssize(a), m = std::ssize(b);
  const Index limit = std::min(n + m, kMaxDifferences);
  std::vector<Reach> reaches;
  for (Index d = 0; d <= limit; ++d) {
    Reach reach{d, std::vector<Index>(static_cast<std::size_t>(2 * d + 1), -1)};
    for (Index k = -d; k <= d; k += 2) {
      Index x = 0;
      if (d > 0) {
        const bool above = came_from_above(reaches.back(), k);
        const Index from = reaches.back().at(above ? k + 1 : k - 1);
        if (from < 0) continue;
        x = above ? from : from + 1;
      }
      Index y = x - k;
      if (x > n || y > m || y < 0) continue;
      while (x < n && y < m && a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(y)])
        ++x, ++y;
      reach.furthest[static_cast<std::size_t>(k + d)] = x;
      if (x == n && y == m) {
        reaches.push_back(std::move(reach));
        return path_back(reaches, n, m);
      }
    }
    reaches.push_back(std::move(reach));
  }
  return std::nullopt;
}

}  // namespace reprise::trace_io
