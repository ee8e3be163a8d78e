// SPDX-License-Identifier: MIT
#include "platforms/zones/zone.hpp"

#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/NetZone.hpp>

#include "platforms/topologies/fat_tree_routes.hpp"
#include "platforms/topologies/star_routes.hpp"
#include "platforms/zones/fat_tree_zone.hpp"
#include "platforms/zones/routed_zone.hpp"
#include "platforms/zones/star_zone.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {

Zone build_zone(const Platform& platform, const RouteTable& routes, LatencyPaidBy latency) {
  REPRISE_ASSERT(simgrid::s4u::Engine::has_instance(), "an engine exists before its zone");
  REPRISE_ASSERT(simgrid::s4u::Engine::get_instance()->get_netzone_root() == nullptr,
                 "an engine has one zone of ours");
  const ZoneParts parts(platform, routes, latency);
  const auto* tree_routes = dynamic_cast<const FatTreeRoutes*>(&routes);
  const auto* star_routes = dynamic_cast<const StarRoutes*>(&routes);
  // SimGrid's own zones know a machine's topology, but neither sockets nor network interfaces nor bounds of receivers.
  const bool is_plain = platform.nodes.sockets == 1 && !platform.intra_node_per_receiver &&
                        !(platform.network && platform.network->interface);
  const bool has_own_zone = tree_routes != nullptr || star_routes != nullptr || !platform.network;
  Zone zone = !is_plain || !has_own_zone ? build_routed_zone(parts)
              : tree_routes              ? build_fat_tree_zone(parts, *tree_routes)
                                         : build_star_zone(parts, star_routes);
  zone.root->seal();
  return zone;
}

}  // namespace reprise::platforms
