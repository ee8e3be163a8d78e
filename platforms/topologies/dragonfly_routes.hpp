// SPDX-License-Identifier: MIT
// Minimal routes in a dragonfly: at most one cable inside the sender's group, one between the groups, one inside the receiver's.
//
// Node    n is on router n / nodes, router r of the machine in group r / routers.
// Cables  a group has a port for each cable to each group, numbered target group · cables + cable (the ports of its own number stay
//         free); consecutive ports are on one router, as many on each as it takes. So cable c between groups G and H leaves
//         G at router (H·cables + c) / ports and H at router (G·cables + c) / ports, ports = ⌈groups·cables / routers⌉.
//         Of several cables the receiver's number decides: cable to mod cables.
// Source  Kim, Dally, Scott, Abts, "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA 2008; with one chassis per
//         group and one cable between groups hop for hop SimGrid 3.32's kernel/routing/DragonflyZone.
#pragma once

#include "platforms/routes.hpp"

namespace reprise::platforms {

class DragonflyRoutes final : public RouteTable {
 public:
  // REQUIRES: DRAGONFLY is the platform's topology and has room for its nodes.
  DragonflyRoutes(const Platform& platform, const Dragonfly& dragonfly);

 private:
  void append_links(NodeIndex from, NodeIndex to, std::vector<LinkIndex>& links) const override;
  void append_local(std::uint32_t group, std::uint32_t from_router, std::uint32_t to_router,
                    std::vector<LinkIndex>& links) const;

  std::uint32_t groups_, routers_, nodes_, cables_, ports_;
  LinkIndex links_per_cable_, node_links_ = 0, local_links_ = 0, global_links_ = 0;
};

}  // namespace reprise::platforms
