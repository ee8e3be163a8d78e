// SPDX-License-Identifier: MIT
#include "sim/engine/observe/traffic_pairs.hpp"

#include <algorithm>

namespace reprise::sim {

void TrafficPairs::add(std::int32_t from, const Cell& more) {
  auto& row = rows_[static_cast<std::size_t>(from)];
  const auto place =
      std::lower_bound(row.begin(), row.end(), more.to,
                       [](const Cell& cell, std::int32_t to) { return cell.to < to; });
  if (place == row.end() || place->to != more.to) {
    row.insert(place, more);
    return;
  }
  place->messages += more.messages;
  place->bytes += more.bytes;
}

std::uint64_t TrafficPairs::messages() const {
  std::uint64_t sum = 0;
  for (const auto& row : rows_)
    for (const Cell& cell : row) sum += cell.messages;
  return sum;
}

std::uint64_t TrafficPairs::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& row : rows_)
    for (const Cell& cell : row) sum += cell.bytes;
  return sum;
}

}  // namespace reprise::sim
