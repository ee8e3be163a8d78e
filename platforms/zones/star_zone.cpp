// SPDX-License-Identifier: MIT
#include "platforms/zones/star_zone.hpp"

#include <simgrid/s4u/Host.hpp>

namespace reprise::platforms {

namespace s4u = simgrid::s4u;

Zone build_star_zone(const ZoneParts& parts, const StarRoutes* routes) {
  Zone zone;
  zone.root = s4u::create_star_zone("machine");
  for (LinkIndex link = 0; link < parts.routes().link_count(); ++link)
    zone.links.push_back(parts.make_link(*zone.root, link));
  for (NodeIndex node = 0; node < parts.routes().node_count(); ++node) {
    s4u::Host* host = parts.make_host(*zone.root, node);
    zone.hosts.push_back(host);
    auto* point = host->get_netpoint();
    const auto link = [&zone](LinkIndex index) {
      return std::vector{s4u::LinkInRoute(zone.links[index])};
    };
    zone.root->add_route(point, point, nullptr, nullptr, link(node), false);
    if (routes == nullptr) continue;
    auto out = link(routes->up_link(node));
    if (routes->has_backbone()) out.emplace_back(zone.links[routes->backbone()]);
    zone.root->add_route(point, nullptr, nullptr, nullptr, out, false);
    zone.root->add_route(nullptr, point, nullptr, nullptr, link(routes->down_link(node)), false);
  }
  return zone;
}

}  // namespace reprise::platforms
