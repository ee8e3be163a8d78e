// SPDX-License-Identifier: MIT
// What is to be said of a node's network interfaces: how messages use them, and which of them stay unused.
#pragma once

#include <string>
#include <vector>

#include "platforms/platform.hpp"
#include "platforms/settings_use.hpp"

namespace reprise::platforms {

// "by_core", "striped": as in a platform file.
const char* name_of(InterfaceUse);

// "2 network interfaces per node of 10 GB/s each, each rank uses that of its core"; empty where the file has none.
std::string interfaces_text(const Platform&);

// Of a machine, for `platform check`: interfaces that no core has, and those that can move more than the cables of their node.
std::vector<std::string> remarks_on_interfaces(const Platform&);

// Of a replay, for its answer: interfaces without a message although their nodes send some to others; and what the cables bound.
std::vector<std::string> remarks_on_interfaces(const Platform&, const SettingsUse&);

}  // namespace reprise::platforms
