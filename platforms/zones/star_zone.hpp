// SPDX-License-Identifier: MIT
#pragma once

#include "platforms/topologies/star_routes.hpp"
#include "platforms/zones/zone_parts.hpp"

namespace reprise::platforms {

// ROUTES: nullptr for a single node, which has no network.
Zone build_star_zone(const ZoneParts& parts, const StarRoutes* routes);

}  // namespace reprise::platforms
