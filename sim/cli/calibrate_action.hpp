// SPDX-License-Identifier: MIT
// reprise platform calibrate: a platform file of measurements, made here by the probe or elsewhere by known tools.
#pragma once

#include "sim/cli/verb.hpp"

namespace reprise::cli {

int calibrate_platform(const Arguments&);

}  // namespace reprise::cli
