// SPDX-License-Identifier: MIT
// How many links are between two nodes, for those who ask again and again.
//
// Cost  a table look-up up to kTabled nodes (one byte a pair), a route beyond.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "platforms/routes.hpp"

namespace reprise::platforms {

class NodeDistances {
 public:
  static constexpr NodeIndex kTabled = 4096;

  // Of these nodes of the machine; below, each is its place in the list.
  NodeDistances(const Platform& platform, std::vector<NodeIndex> nodes)
      : routes_(make_route_table(platform)), nodes_(std::move(nodes)) {
    const NodeIndex count = size();
    if (count > kTabled) return;
    table_.resize(std::size_t{count} * count);
    for (NodeIndex from = 0; from < count; ++from)
      for (NodeIndex to = 0; to < count; ++to)
        table_[std::size_t{from} * count + to] =
            static_cast<std::uint8_t>(std::min(255U, on_route(from, to)));
  }

  NodeIndex size() const { return static_cast<NodeIndex>(nodes_.size()); }
  const std::vector<NodeIndex>& nodes() const { return nodes_; }
  // 0 from a node to itself; network interfaces count as links. At most 255.
  double operator()(NodeIndex from, NodeIndex to) const {
    return table_.empty() ? std::min(255U, on_route(from, to)) : table_[from * nodes_.size() + to];
  }

 private:
  std::uint32_t on_route(NodeIndex from, NodeIndex to) const {
    if (from == to) return 0;
    routes_->find_route(nodes_[from] * routes_->ends_per_node(),
                        nodes_[to] * routes_->ends_per_node(), route_);
    return static_cast<std::uint32_t>(route_.links.size());
  }

  const std::unique_ptr<RouteTable> routes_;
  const std::vector<NodeIndex> nodes_;
  std::vector<std::uint8_t> table_;
  mutable Route route_;  // scratch
};

}  // namespace reprise::platforms
