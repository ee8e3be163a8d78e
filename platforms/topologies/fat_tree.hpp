// SPDX-License-Identifier: MIT
// A parallel-ports generalised fat tree with destination-mod-k routing, cable for cable that of SimGrid 3.32.
//
// An element of level l (0: nodes, then switches) has a label of h digits. Digit i counts parents (radix up_i) where i < l
// and children (radix down_i) elsewhere; its position in the level is the label read with digit 0 least significant. Two
// elements of levels l and l+1 are joined where their labels agree in every digit but digit l.
// Up      at level l towards destination d: port (d / Π_{i<l} up_i) mod (up_l · parallel_l), until d lies below.
// Down    the child is fixed by d's digit; of parallel cables SimGrid takes the one numbered source mod parallel, except
//         that it does not begin its scan of the ports afresh after a step down (see append_links).
// Cables  numbered by level, then by the lower element's position, then by parent, then by parallel cable.
// Source  E. Zahavi, "D-Mod-K Routing Providing Non-Blocking Traffic for Shift Permutations on Real Life Fat Trees", 2010;
//         SimGrid 3.32, kernel/routing/FatTreeZone.
#pragma once

#include "platforms/topologies/topology.hpp"

namespace reprise::platforms {

struct FatTree {
  static constexpr std::string_view kKind = "fat_tree", kNoun = "tree", kRoomPlace = "levels",
                                    kRoom = "the room is the product of \"down\" over the levels";

  struct Level {
    std::uint32_t down = 1;      // elements below each switch of this level
    std::uint32_t up = 1;        // switches of this level above each element of the level below
    std::uint32_t parallel = 1;  // cables between such a pair
    LinkSpec link;  // of each cable; the network's link unless the level says otherwise
    bool operator==(const Level&) const = default;
  };
  std::vector<Level> levels;  // levels[0] joins the nodes to the first switches

  static std::span<const std::string_view> keys();
  static FatTree read(TopologyReader&);
  double room() const;
  std::vector<NodeIndex> group_sizes() const;  // below a switch of each level but the last
  std::vector<Cable> cables(LinkSpec& network_link, NodeIndex nodes);
  std::unique_ptr<TopologyRoutes> routes(const CableLinks&, NodeIndex nodes) const;
  std::string description() const;
  bool operator==(const FatTree&) const = default;
};

}  // namespace reprise::platforms
