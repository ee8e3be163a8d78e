// SPDX-License-Identifier: MIT
// Fitted numbers as a file has them: more digits than a measurement has would only be noise.
#pragma once

#include <string>

#include "trace-io/base/quantity.hpp"

namespace reprise::platforms {

double to_four_digits(double value);
std::string to_four_digits(Seconds);
std::string to_four_digits(BytesPerSecond);

}  // namespace reprise::platforms
