// SPDX-License-Identifier: MIT
// One-way times of sizes that were not measured, from a base platform: for measurements that hold only the sizes that a program sends.
//
// Below the smallest measured size that size's time, less its bytes on the base, where it is latency for the most part, else the base's
// own; above the largest, that size's and what further bytes take on the base; between two of them the base's, multiplied by what the
// measured ones are to it there (straight over the logarithm of the size). Added at powers of two, marked as the base's.
#pragma once

#include "platforms/calibration/measurements.hpp"
#include "platforms/platform.hpp"

namespace reprise::platforms {

// o_s + λL + n/(βB) + o_r, and a handshake's two latencies where there is one (docs/MODEL.md).
Seconds one_way_time(const Platform&, MeasuredPath, Bytes);

void add_base_sizes(Measurements&, const Platform& base);

}  // namespace reprise::platforms
