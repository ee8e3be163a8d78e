// SPDX-License-Identifier: MIT
// A platform whose messages cost a share more or less: what the uncertainty of its calibration means for an answer.
#pragma once

#include "platforms/platform.hpp"

namespace reprise::platforms {

// The larger of what the file says of messages between and inside nodes; 0 where it says nothing.
double message_uncertainty(const Platform&);

// Times of messages, copies and reductions multiplied by FACTOR: latencies and overheads longer, bandwidths smaller. Computing, storage
// and everything else stay. REQUIRES: factor above 0.
Platform with_message_costs(Platform, double factor);

}  // namespace reprise::platforms
