// SPDX-License-Identifier: MIT
// What a reader of a run's times must know of the fat tree that it ran on.
#pragma once

#include <string>
#include <vector>

#include "platforms/platform.hpp"
#include "platforms/settings_use.hpp"

namespace reprise::platforms {

// Sentences; none where the network is no fat tree, or no message crosses it. What `platform check` remarks on its levels (taper_remarks),
// and the oversubscription above 1:1: of which levels, or that the run stays below the leaf switches, where it costs nothing.
std::vector<std::string> remarks_on_tree(const Platform&, const SettingsUse&);

}  // namespace reprise::platforms
