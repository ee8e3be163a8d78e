// SPDX-License-Identifier: MIT
#include "platforms/zones/zone.hpp"

#include <algorithm>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Host.hpp>
#include <simgrid/s4u/NetZone.hpp>
#include <string>
#include <vector>

#include "platforms/zones/parts.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

namespace routing = simgrid::kernel::routing;

// SimGrid's engine owns its zones.
class RoutedZone final : public routing::NetZoneImpl {
 public:
  RoutedZone(const RouteTable& routes, bool has_latency)
      : NetZoneImpl("machine"), routes_(routes), has_latency_(has_latency) {}

  std::vector<simgrid::kernel::resource::StandardLinkImpl*> links;  // by LinkIndex

 private:
  // Hosts are the zone's only points, made in the order of the table's ends.
  void get_local_route(const routing::NetPoint* from, const routing::NetPoint* to,
                       routing::Route* into, double* latency) override {
    routes_.find_route(static_cast<NodeIndex>(from->id()), static_cast<NodeIndex>(to->id()),
                       route_);
    for (const LinkIndex link : route_.links) into->link_list_.push_back(links[link]);
    if (latency != nullptr && has_latency_) *latency += route_.latency.value;
  }

  const RouteTable& routes_;
  const bool has_latency_;
  Route route_;
};

// SimGrid's own zone of the topology where there is one.
template <class T>
Zone build_own_zone(const ZoneParts& parts, const T& topology) {
  if constexpr (requires { build_zone_of(parts, topology); })
    return build_zone_of(parts, topology);
  else
    return build_routed_zone(parts);
}

Zone build_kind_of_zone(const ZoneParts& parts) {
  const Platform& platform = parts.platform();
  // SimGrid's own zones know a machine's topology, but neither sockets nor network interfaces nor bounds of receivers.
  if (platform.nodes.sockets > 1 || platform.intra_node_per_receiver ||
      (platform.network && platform.network->interface))
    return build_routed_zone(parts);
  if (!platform.network) return build_node_zone(parts);
  return std::visit([&](const auto& topology) { return build_own_zone(parts, topology); },
                    platform.network->topology);
}

}  // namespace

Zone build_routed_zone(const ZoneParts& parts) {
  const RouteTable& routes = parts.routes();
  auto* zone_of_ours = new RoutedZone(routes, parts.links_have_latency());  // the engine deletes it
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

Zone build_zone(const Platform& platform, const RouteTable& routes, LatencyPaidBy latency) {
  REPRISE_ASSERT(simgrid::s4u::Engine::has_instance(), "an engine exists before its zone");
  REPRISE_ASSERT(simgrid::s4u::Engine::get_instance()->get_netzone_root() == nullptr,
                 "an engine has one zone of ours");
  Zone zone = build_kind_of_zone(ZoneParts(platform, routes, latency));
  zone.root->seal();
  return zone;
}

simgrid::s4u::Host* ZoneParts::make_host(simgrid::s4u::NetZone& zone, NodeIndex end) const {
  constexpr double kUnknownSpeed = 1e9;  // SimGrid wants one
  const Nodes& nodes = platform_.nodes;
  const std::uint32_t ends = routes_.ends_per_node(), node = end / ends;
  const auto speed = nodes.core_speed_of(node);
  simgrid::s4u::Host* host =
      zone.create_host("node-" + std::to_string(end), speed ? speed->value : kUnknownSpeed);
  host->set_core_count(static_cast<int>(std::max(1U, nodes.cores_of(node) / ends)));
  return host->seal();
}

simgrid::s4u::Link* ZoneParts::make_link(simgrid::s4u::NetZone& zone, LinkIndex index) const {
  const LinkClass& link = routes_.link(index);
  return zone.create_link(link.name + ' ' + std::to_string(index), link.bandwidth.value)
      ->set_latency(simgrid_latency(link))
      ->set_sharing_policy(simgrid_policy(link))
      ->seal();
}

double ZoneParts::simgrid_latency(const LinkClass& link) const {
  return links_have_latency() ? link.latency.value : 0.0;
}

simgrid::s4u::Link::SharingPolicy ZoneParts::simgrid_policy(const LinkClass& link) {
  using Policy = simgrid::s4u::Link::SharingPolicy;
  return link.is_contended ? Policy::SHARED : Policy::FATPIPE;
}

}  // namespace reprise::platforms
