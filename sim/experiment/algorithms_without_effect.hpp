// SPDX-License-Identifier: MIT
// Why a change of collective algorithms has no effect on a replay: the same algorithms carry out its collectives as before.
//
// Cost  O(rules × algorithms), a handful of each.
#pragma once

#include <string>
#include <vector>

#include "platforms/platform.hpp"
#include "platforms/settings_use.hpp"

namespace reprise::sim {

using AlgorithmsUsed = std::vector<platforms::SettingsUse::Algorithm>;

// A sentence for each operation that is called, whose rules the change touches and whose algorithms are those of before; in the order of names.
std::vector<std::string> algorithms_without_effect(const platforms::Collectives& before,
                                                   const AlgorithmsUsed& used_before,
                                                   const platforms::Collectives& after,
                                                   const AlgorithmsUsed& used_after);

}  // namespace reprise::sim
