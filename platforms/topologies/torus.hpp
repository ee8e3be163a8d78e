// SPDX-License-Identifier: MIT
// Nodes at the points of a grid that is closed in each dimension; each node is also its router. Routes hop for hop those of SimGrid 3.32.
//
// A node's coordinates are its number read with the dimensions' sizes as radices, the first dimension least significant.
// Route   dimension-ordered: the first dimension to its end, then the next; in each the shorter way round. Of two equally long ways the
//         rising one, but from the middle to coordinate 0 the falling one (SimGrid's comparison of coordinates decides so).
// Cables  numbered by dimension, then by the node at their lower end: cable i of a dimension joins node i to the next one, and
//         the last to the first. A dimension of size 2 has one cable for each pair.
// Source  Dally, Seitz, "Deadlock-Free Message Routing in Multiprocessor Interconnection Networks", IEEE TC 36(5), 1987;
//         SimGrid 3.32, kernel/routing/TorusZone.
#pragma once

#include "platforms/topologies/topology.hpp"

namespace reprise::platforms {

struct Torus {
  static constexpr std::string_view kKind = "torus", kNoun = "torus", kRoomPlace = "dimensions",
                                    kRoom =
                                        "the room is the product of \"size\" over the dimensions";

  struct Dimension {
    std::uint32_t size = 2;
    LinkSpec link;  // of each cable; the network's unless the dimension says otherwise
    bool operator==(const Dimension&) const = default;
  };
  std::vector<Dimension> dimensions;

  static std::span<const std::string_view> keys();
  static Torus read(TopologyReader&);
  double room() const;
  std::vector<NodeIndex> group_sizes() const;  // of a row, of a plane …
  std::vector<Cable> cables(LinkSpec& network_link, NodeIndex nodes);
  std::unique_ptr<TopologyRoutes> routes(const CableLinks&, NodeIndex nodes) const;
  std::string description() const;
  Grid grid() const;
  bool operator==(const Torus&) const = default;
};

}  // namespace reprise::platforms
