// SPDX-License-Identifier: MIT
#include "platforms/zones/routed_zone.hpp"

#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u/Host.hpp>
#include <vector>

namespace reprise::platforms {
namespace {

namespace routing = simgrid::kernel::routing;

// SimGrid's engine owns its zones.
class RoutedZone final : public routing::NetZoneImpl {
 public:
  RoutedZone(const RouteTable& routes, bool pays_latency)
      : NetZoneImpl("machine"), routes_(routes), pays_latency_(pays_latency) {}

  std::vector<simgrid::kernel::resource::StandardLinkImpl*> links;  // by LinkIndex

 private:
  // Hosts are the zone's only points, made in the order of the table's ends.
  void get_local_route(const routing::NetPoint* from, const routing::NetPoint* to,
                       routing::Route* into, double* latency) override {
    routes_.find_route(static_cast<NodeIndex>(from->id()), static_cast<NodeIndex>(to->id()),
                       route_);
    for (const LinkIndex link : route_.links) into->link_list_.push_back(links[link]);
    if (latency != nullptr && pays_latency_) *latency += route_.latency.value;
  }

  const RouteTable& routes_;
  const bool pays_latency_;
  Route route_;
};

}  // namespace

Zone build_routed_zone(const ZoneParts& parts) {
  const RouteTable& routes = parts.routes();
  auto* zone_of_ours = new RoutedZone(
      routes, parts.latency_paid_by() == LatencyPaidBy::kSimGrid);  // the engine deletes it
  Zone zone;
  zone.root = zone_of_ours->get_iface();
  for (LinkIndex link = 0; link < routes.link_count(); ++link) {
    zone.links.push_back(parts.make_link(*zone.root, link));
    zone_of_ours->links.push_back(zone.links.back()->get_impl());
  }
  for (NodeIndex end = 0; end < routes.end_count(); ++end)
    zone.hosts.push_back(parts.make_host(*zone.root, end));
  return zone;
}

}  // namespace reprise::platforms
