// SPDX-License-Identifier: MIT
// How long a run takes against another, by the rule of sim/text/time_ratio.hpp, in a page's numbers.
#pragma once

#include <string>

#include "sim/report/number_text.hpp"
#include "sim/text/time_ratio.hpp"

namespace reprise::sim::report {

// "12 % less time", "40 % more time", "2.29 times as long"; follows "takes".
inline std::string time_ratio(double ratio) {
  if (is_told_as_factor(ratio)) return digits(ratio, 3) + " times as long";
  return percent(ratio < 1 ? 1 - ratio : ratio - 1) + (ratio < 1 ? " less time" : " more time");
}

}  // namespace reprise::sim::report
