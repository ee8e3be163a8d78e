// SPDX-License-Identifier: MIT
#include "sim/collectives/node_map.hpp"

#include <map>

namespace reprise::sim {

NodeMap::NodeMap(std::span<const std::uint32_t> nodes) {
  std::map<std::uint32_t, std::int32_t> numbers;
  std::vector<std::int32_t> sizes;
  for (std::size_t member = 0; member < nodes.size(); ++member) {
    const auto [number, is_new] =
        numbers.try_emplace(nodes[member], static_cast<std::int32_t>(leaders_.size()));
    if (is_new) {
      leaders_.push_back(static_cast<std::int32_t>(member));
      sizes.push_back(0);
    }
    node_of_.push_back(number->second);
    place_of_.push_back(sizes[static_cast<std::size_t>(number->second)]++);
  }
  begin_.push_back(0);
  for (const std::int32_t size : sizes)
    begin_.push_back(begin_.back() + static_cast<std::size_t>(size));
  members_.resize(nodes.size());
  for (std::size_t member = 0; member < nodes.size(); ++member)
    members_[begin_[static_cast<std::size_t>(node_of_[member])] +
             static_cast<std::size_t>(place_of_[member])] = static_cast<std::int32_t>(member);
}

std::span<const std::int32_t> NodeMap::members(std::int32_t node) const {
  const auto at = static_cast<std::size_t>(node);
  return std::span(members_).subspan(begin_[at], begin_[at + 1] - begin_[at]);
}

}  // namespace reprise::sim
