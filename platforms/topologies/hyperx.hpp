// SPDX-License-Identifier: MIT
// Routers at the points of a grid, each joined to all others of its row in every dimension, with the nodes on them. One dimension is a
// full mesh; with as many nodes as routers in a row it is a flattened butterfly.
//
// Node    n is on router n / nodes; a router's coordinates are its number read with the dimensions' sizes as radices, the first
//         dimension least significant.
// Route   dimension-ordered and minimal: one cable for each dimension in which the two routers differ. Of parallel cables the
//         receiver's number decides: cable to mod parallel.
// Cables  numbered by row, then by pair of coordinates, then by parallel cable; up is towards the higher coordinate.
// Source  Ahn, Binkert, Davis, McLaren, Schreiber, "HyperX: Topology, Routing, and Packaging of Efficient Large-Scale Networks",
//         SC 2009: there (L, S, K, T) for dimensions, sizes, parallel cables and nodes on a router.
#pragma once

#include "platforms/topologies/topology.hpp"

namespace reprise::platforms {

struct HyperX {
  static constexpr std::string_view kKind = "hyperx", kNoun = "HyperX", kRoomPlace = "",
                                    kRoom =
                                        "the room is nodes × the product of \"size\" over the "
                                        "dimensions";

  struct Dimension {
    std::uint32_t size = 2;
    std::uint32_t parallel = 1;  // cables between each two routers of a row
    LinkSpec link;               // of each cable; the network's unless the dimension says otherwise
    bool operator==(const Dimension&) const = default;
  };
  std::vector<Dimension> dimensions;
  std::uint32_t nodes = 1;  // per router
  LinkSpec node_link;       // the network's unless the file says otherwise

  static std::span<const std::string_view> keys();
  static HyperX read(TopologyReader&);
  double room() const;
  std::vector<NodeIndex> group_sizes() const;  // of a router, of a row, of a plane …
  std::vector<Cable> cables(LinkSpec& network_link, NodeIndex count);
  std::unique_ptr<TopologyRoutes> routes(const CableLinks&, NodeIndex count) const;
  std::string description() const;
  Grid grid() const;
  bool operator==(const HyperX&) const = default;
};

}  // namespace reprise::platforms
