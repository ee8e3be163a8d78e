// SPDX-License-Identifier: MIT
#include "platforms/zones/zone_parts.hpp"

#include <simgrid/s4u/Host.hpp>
#include <string>

namespace reprise::platforms {

simgrid::s4u::Host* ZoneParts::make_host(simgrid::s4u::NetZone& zone, NodeIndex end) const {
  constexpr double kUnknownSpeed = 1e9;  // SimGrid wants one
  const Nodes& nodes = platform_.nodes;
  const auto speed = nodes.core_speed_of(end / nodes.sockets);
  simgrid::s4u::Host* host =
      zone.create_host("node-" + std::to_string(end), speed ? speed->value : kUnknownSpeed);
  host->set_core_count(static_cast<int>(nodes.cores_of(end / nodes.sockets) / nodes.sockets));
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
  return latency_ == LatencyPaidBy::kSimGrid ? link.latency.value : 0.0;
}

simgrid::s4u::Link::SharingPolicy ZoneParts::simgrid_policy(const LinkClass& link) {
  using Policy = simgrid::s4u::Link::SharingPolicy;
  return link.is_contended ? Policy::SHARED : Policy::FATPIPE;
}

}  // namespace reprise::platforms
