// SPDX-License-Identifier: MIT
// SimGrid wants every leaf of a tree to be there, so leaves beyond the platform's nodes become hosts that nobody uses.
#pragma once

#include "platforms/topologies/fat_tree_routes.hpp"
#include "platforms/zones/zone_parts.hpp"

namespace reprise::platforms {

Zone build_fat_tree_zone(const ZoneParts& parts, const FatTreeRoutes& routes);

}  // namespace reprise::platforms
