// SPDX-License-Identifier: MIT
// What the zone builders share: hosts, links and their names; and the builders.
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

  bool links_have_latency() const {
    return latency_ == LatencyPaidBy::kSimGrid || platform_.latency_weights() != nullptr;
  }
  double simgrid_latency(const LinkClass&) const;
  static simgrid::s4u::Link::SharingPolicy simgrid_policy(const LinkClass&);

 private:
  const Platform& platform_;
  const RouteTable& routes_;
  LatencyPaidBy latency_;
};

// A zone that asks our RouteTable for its routes: for any topology, without a table of all pairs. The table must outlive the zone.
Zone build_routed_zone(const ZoneParts&);

// Topologies whose own zones in SimGrid are ours link for link; the others get a routed zone.
Zone build_zone_of(const ZoneParts&, const Star&);
// SimGrid wants every leaf of a tree to be there, so leaves beyond the platform's nodes become hosts that nobody uses.
Zone build_zone_of(const ZoneParts&, const FatTree&);
// One node, no network.
Zone build_node_zone(const ZoneParts&);

}  // namespace reprise::platforms
