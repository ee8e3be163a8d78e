// SPDX-License-Identifier: MIT
// The keys of the kinds of changes, a part of known_scenario_keys() (scenario.hpp).
#pragma once

#include <vector>

#include "platforms/load.hpp"

namespace reprise::sim {

std::vector<platforms::ObjectKeys> known_change_keys();

}  // namespace reprise::sim
