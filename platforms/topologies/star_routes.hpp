// SPDX-License-Identifier: MIT
// A crossbar with one cable per node: a route is the sender's link up and the receiver's link down.
#pragma once

#include "platforms/routes.hpp"

namespace reprise::platforms {

class StarRoutes final : public RouteTable {
 public:
  // REQUIRES: the platform has a network with the topology Star. A backbone is the last link.
  explicit StarRoutes(const Platform& platform);

  LinkIndex up_link(NodeIndex node) const noexcept { return first_ + node * links_per_cable_; }
  LinkIndex down_link(NodeIndex node) const noexcept {
    return up_link(node) + links_per_cable_ - 1;
  }
  bool has_backbone() const noexcept { return has_backbone_; }
  LinkIndex backbone() const noexcept { return link_count() - 1; }  // REQUIRES: has_backbone()

 private:
  void append_links(NodeIndex from, NodeIndex to, std::vector<LinkIndex>& links) const override;

  LinkIndex links_per_cable_;  // 2 where full duplex: up, down
  LinkIndex first_;
  bool has_backbone_ = false;
};

}  // namespace reprise::platforms
