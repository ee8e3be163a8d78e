// SPDX-License-Identifier: MIT
#include "sim/text/time_ratio.hpp"

#include <algorithm>
#include <cmath>

#include "sim/text/numbers.hpp"

namespace reprise {

std::string time_ratio_text(double ratio, int digits) {
  if (is_told_as_factor(ratio)) return formatted("%.*g times as long", digits, ratio);
  const int needed = ratio < 0.01 ? std::max(digits, 3) + 1 : digits;
  return formatted("%.*g%% %s time", needed, 100 * std::abs(ratio - 1),
                   ratio < 1 ? "less" : "more");
}

}  // namespace reprise
