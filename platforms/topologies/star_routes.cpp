// SPDX-License-Identifier: MIT
#include "platforms/topologies/star_routes.hpp"

namespace reprise::platforms {

StarRoutes::StarRoutes(const Platform& platform)
    : RouteTable(platform),
      links_per_cable_(platform.network->link.sharing == Sharing::kFullDuplex ? 2 : 1),
      first_(link_count()) {
  const LinkSpec& link = platform.network->link;
  add_cables(links_per_cable_ == 1 ? "node link" : "node", "node", link, node_count(),
             links_per_cable_ == 2);
  if (const auto& backbone = std::get<Star>(platform.network->topology).backbone) {
    add_links(add_class("backbone", "backbone", *backbone), 1);
    has_backbone_ = true;
  }
}

void StarRoutes::append_links(NodeIndex from, NodeIndex to, std::vector<LinkIndex>& links) const {
  links.push_back(up_link(from));
  if (has_backbone_) links.push_back(backbone());
  links.push_back(down_link(to));
}

}  // namespace reprise::platforms
