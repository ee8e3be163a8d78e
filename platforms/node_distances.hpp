// SPDX-License-Identifier: MIT
// How many links are between two nodes, for those who ask again and again.
//
// Cost  a table look-up up to kTabled nodes (one byte a pair), a route beyond.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "platforms/routes.hpp"

namespace reprise::platforms {

class NodeDistances {
 public:
  static constexpr NodeIndex kTabled = 4096;

  // Of the first NODES of the machine.
  NodeDistances(const Platform& platform, NodeIndex nodes)
      : routes_(make_route_table(platform)), sockets_(platform.nodes.sockets), nodes_(nodes) {
    if (nodes > kTabled) return;
    table_.resize(std::size_t{nodes} * nodes);
    for (NodeIndex from = 0; from < nodes; ++from)
      for (NodeIndex to = 0; to < nodes; ++to)
        table_[std::size_t{from} * nodes + to] =
            static_cast<std::uint8_t>(std::min(255U, on_route(from, to)));
  }

  NodeIndex nodes() const { return nodes_; }
  // 0 from a node to itself; network interfaces count as links. At most 255.
  double operator()(NodeIndex from, NodeIndex to) const {
    return table_.empty() ? std::min(255U, on_route(from, to))
                          : table_[std::size_t{from} * nodes_ + to];
  }

 private:
  std::uint32_t on_route(NodeIndex from, NodeIndex to) const {
    if (from == to) return 0;
    routes_->find_route(from * sockets_, to * sockets_, route_);
    return static_cast<std::uint32_t>(route_.links.size());
  }

  const std::unique_ptr<RouteTable> routes_;
  const std::uint32_t sockets_;
  const NodeIndex nodes_;
  std::vector<std::uint8_t> table_;
  mutable Route route_;  // scratch
};

}  // namespace reprise::platforms
