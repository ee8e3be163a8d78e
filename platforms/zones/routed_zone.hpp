// SPDX-License-Identifier: MIT
// A zone of SimGrid that asks our RouteTable for its routes: for any topology, without a table of all pairs.
#pragma once

#include "platforms/zones/zone_parts.hpp"

namespace reprise::platforms {

// The parts' route table must outlive the zone.
Zone build_routed_zone(const ZoneParts& parts);

}  // namespace reprise::platforms
