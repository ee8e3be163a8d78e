// SPDX-License-Identifier: MIT
#include "platforms/calibration/four_digits.hpp"

#include <cstdio>

#include "trace-io/base/units.hpp"

namespace reprise::platforms {

double to_four_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return std::stod(text);
}
std::string to_four_digits(Seconds time) { return to_text(Seconds{to_four_digits(time.value)}); }
std::string to_four_digits(BytesPerSecond rate) {
  return to_text(BytesPerSecond{to_four_digits(rate.value)});
}

}  // namespace reprise::platforms
