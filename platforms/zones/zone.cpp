// SPDX-License-Identifier: MIT
#include "platforms/zones/zone.hpp"

#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/NetZone.hpp>

#include "platforms/topologies/fat_tree_routes.hpp"
#include "platforms/topologies/star_routes.hpp"
#include "platforms/zones/fat_tree_zone.hpp"
#include "platforms/zones/star_zone.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {

Zone build_zone(const Platform& platform, const RouteTable& routes, LatencyPaidBy latency) {
  REPRISE_ASSERT(simgrid::s4u::Engine::has_instance(), "an engine exists before its zone");
  REPRISE_ASSERT(simgrid::s4u::Engine::get_instance()->get_netzone_root() == nullptr, "an engine has one zone of ours");
  const ZoneParts parts(platform, routes, latency);
  const auto* tree_routes = dynamic_cast<const FatTreeRoutes*>(&routes);
  Zone zone = tree_routes ? build_fat_tree_zone(parts, *tree_routes)
                          : build_star_zone(parts, dynamic_cast<const StarRoutes*>(&routes));
  zone.root->seal();
  return zone;
}

}  // namespace reprise::platforms
