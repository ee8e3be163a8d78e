// SPDX-License-Identifier: MIT
// What the zone builders of all topologies share: hosts, links and their names.
#pragma once

#include <simgrid/s4u/Link.hpp>
#include <simgrid/s4u/NetZone.hpp>

#include "platforms/zones/zone.hpp"

namespace reprise::platforms {

class ZoneParts {
 public:
  ZoneParts(const Platform& platform, const RouteTable& routes, LatencyPaidBy latency)
      : platform_(platform), routes_(routes), latency_(latency) {}

  const Platform& platform() const noexcept { return platform_; }
  const RouteTable& routes() const noexcept { return routes_; }

  // "node-3", for end 3 of the route table. Nothing is ever computed on a host: compute times come from the trace and pass on the kernel's clock.
  simgrid::s4u::Host* make_host(simgrid::s4u::NetZone& zone, NodeIndex end) const;
  // Link INDEX of the route table, named "<class> <index>".
  simgrid::s4u::Link* make_link(simgrid::s4u::NetZone& zone, LinkIndex index) const;

  LatencyPaidBy latency_paid_by() const noexcept { return latency_; }
  double simgrid_latency(const LinkClass&) const;
  static simgrid::s4u::Link::SharingPolicy simgrid_policy(const LinkClass&);

 private:
  const Platform& platform_;
  const RouteTable& routes_;
  LatencyPaidBy latency_;
};

}  // namespace reprise::platforms
