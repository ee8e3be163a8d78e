// SPDX-License-Identifier: MIT
// What a calibration assumed, and what its measurements say of the machine, as sentences for the user.
#pragma once

#include <string>
#include <vector>

#include "platforms/calibration/calibrated_platform.hpp"

namespace reprise::platforms {

std::vector<std::string> remarks_on(const Measurements&, const Calibration&);

}  // namespace reprise::platforms
