// SPDX-License-Identifier: MIT
// Groups of routers, all routers of a group joined to each other and all groups to each other. Minimal routing: at most one cable
// inside the sender's group, one between the groups, one inside the receiver's.
//
// Node    n is on router n / nodes, router r of the machine in group r / routers.
// Cables  a group has a port for each cable to each group, numbered target group · cables + cable (the ports of its own number stay
//         free); consecutive ports are on one router, as many on each as it takes. So cable c between groups G and H leaves
//         G at router (H·cables + c) / ports and H at router (G·cables + c) / ports, ports = ⌈groups·cables / routers⌉.
//         Of several cables the receiver's number decides: cable to mod cables.
// Source  Kim, Dally, Scott, Abts, "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA 2008; with one chassis per
//         group and one cable between groups hop for hop SimGrid 3.32's kernel/routing/DragonflyZone.
#pragma once

#include "platforms/topologies/topology.hpp"

namespace reprise::platforms {

struct Dragonfly {
  static constexpr std::string_view kKind = "dragonfly", kNoun = "dragonfly", kRoomPlace = "",
                                    kRoom = "the room is groups × routers × nodes";

  std::uint32_t groups = 1;
  std::uint32_t routers = 1;                    // per group
  std::uint32_t nodes = 1;                      // per router
  std::uint32_t global_cables = 1;              // between each two groups
  LinkSpec node_link, local_link, global_link;  // the network's unless the file says otherwise

  static std::span<const std::string_view> keys();
  static Dragonfly read(TopologyReader&);
  double room() const;
  std::vector<NodeIndex> group_sizes() const;  // of a router, of a group
  std::vector<Cable> cables(LinkSpec& network_link, NodeIndex nodes);
  std::unique_ptr<TopologyRoutes> routes(const CableLinks&, NodeIndex nodes) const;
  std::string description() const;
  bool operator==(const Dragonfly&) const = default;
};

}  // namespace reprise::platforms
