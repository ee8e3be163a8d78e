// SPDX-License-Identifier: MIT
// The "topology" of a platform file's network: its kind decides which other keys there are.
#pragma once

#include <vector>

#include "platforms/load_parts.hpp"

namespace reprise::platforms {

// Into NETWORK, whose link is there already. Throws InputError, also where there is no room for NODES.
void read_topology(const nlohmann::json& value, JsonPlace place, std::uint32_t nodes,
                   Network& network, SourceNotes&);

std::vector<ObjectKeys> known_topology_keys();

}  // namespace reprise::platforms
