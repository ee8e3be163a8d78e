// SPDX-License-Identifier: MIT
// Which members of a communicator share a node, for algorithms in two levels. O(members), once per communicator.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace reprise::sim {

class NodeMap {
 public:
  // NODES: the machine's node of each member.
  explicit NodeMap(std::span<const std::uint32_t> nodes);

  // Nodes are numbered in the order of their first members, which are their leaders.
  std::int32_t node_count() const { return static_cast<std::int32_t>(leaders_.size()); }
  std::int32_t node(std::int32_t member) const {
    return node_of_[static_cast<std::size_t>(member)];
  }
  std::int32_t place(std::int32_t member) const {
    return place_of_[static_cast<std::size_t>(member)];
  }                                                                // among its node's
  std::span<const std::int32_t> members(std::int32_t node) const;  // ascending
  std::span<const std::int32_t> leaders() const { return leaders_; }
  // More than one node, and a node with more than one member.
  bool has_levels() const { return leaders_.size() > 1 && leaders_.size() < node_of_.size(); }

 private:
  std::vector<std::int32_t> node_of_, place_of_, leaders_;
  std::vector<std::int32_t> members_;  // node by node
  std::vector<std::size_t> begin_;     // of a node in members_; one more than there are nodes
};

}  // namespace reprise::sim
