// SPDX-License-Identifier: MIT
// Whether a run on an oversubscribed fat tree stays below its leaf switches, where oversubscription costs nothing.
#pragma once

#include <optional>
#include <string>

#include "platforms/platform.hpp"
#include "platforms/settings_use.hpp"

namespace reprise::platforms {

// What to tell the user; none where the network is no fat tree, none of its levels is oversubscribed, messages go higher, or none crosses it.
std::optional<std::string> remark_on_tree(const Platform&, const SettingsUse&);

}  // namespace reprise::platforms
