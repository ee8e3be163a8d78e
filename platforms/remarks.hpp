// SPDX-License-Identifier: MIT
// What is unusual in a platform, and may not be meant: sentences for `platform check`.
#pragma once

#include <string>
#include <vector>

#include "platforms/platform.hpp"

namespace reprise::platforms {

// A bandwidth inside sockets that all of their messages share, without a bandwidth of one; network interfaces that nobody uses, or that the
// cables are too narrow for; cold caches that cost more from one size to the
// next than the bytes between them can.
std::vector<std::string> remarks_on(const Platform&);

}  // namespace reprise::platforms
