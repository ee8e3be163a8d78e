// SPDX-License-Identifier: MIT
// What calls and messages cost more after computing, from what the probe measured so.
//
// Base      the same pattern after no computing, its data just written. Differences below 0 are 0.
// Receive   of an eager message: that of a message which has come. Of a larger one, whose receiver waits for it: what the round trip with
//           an empty answer takes longer, less what an empty message's send and receive do: all that its bytes cost is the receiver's,
//           and its send costs what an empty one's does, from the first size on that is not eager. Beyond the last size the last time
//           holds (platforms/cold_caches.hpp).
// Disturbed Other processes that take the core look like cold caches. A time that they disturbed, or that is more than cold caches can
//           cost, is left out and counted.
#pragma once

#include <vector>

#include "platforms/calibration/measurements.hpp"
#include "platforms/cold_caches.hpp"

namespace reprise::platforms {

struct ColdFit {
  std::vector<ColdCosts> levels;  // empty where none was measured
  unsigned left_out = 0;          // times that were disturbed
};
ColdFit fit_cold_caches(const Measurements&, MeasuredPath, Bytes eager_limit);

}  // namespace reprise::platforms
