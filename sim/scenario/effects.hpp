// SPDX-License-Identifier: MIT
// A placement that a replay has shown to be without effect. What of the platform's settings, links and collectives had none is for
// platforms/effects.hpp to say; of computing, links for a while, nodes and noise the outcome does (Outcome::no_effect).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "platforms/platform.hpp"
#include "platforms/settings_use.hpp"
#include "sim/scenario/change.hpp"

namespace reprise::sim {

// Facts such as "s.json at /changes/0: it places every rank where block does". CHANGES: all that were made, in order. PLATFORM: with
// the changes.
std::vector<std::string> placements_without_effect(std::span<const Change>,
                                                   const platforms::Platform&,
                                                   const platforms::SettingsUse&);

}  // namespace reprise::sim
