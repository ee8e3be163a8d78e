// SPDX-License-Identifier: MIT
// What calls and messages cost more after computing, from what the probe measured so.
//
// Base      the same pattern after no computing, its data just written. Differences below 0 are 0.
// Receive   of an eager message: that of a message which has come. Of a larger one, whose receiver waits for it: what the round trip with
//           an empty answer takes longer, less what an empty message's send and receive do.
#pragma once

#include <vector>

#include "platforms/calibration/measurements.hpp"
#include "platforms/cold_caches.hpp"

namespace reprise::platforms {

// Empty where none was measured.
std::vector<ColdCosts> fit_cold_caches(const Measurements&, Path);

}  // namespace reprise::platforms
