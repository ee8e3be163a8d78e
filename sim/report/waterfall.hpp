// SPDX-License-Identifier: MIT
// How parts lead from one time to another, as a picture: a bar for each part, which begins where the one before it ends.
#pragma once

#include <string>
#include <vector>

#include "sim/report/page.hpp"

namespace reprise::sim::report {

struct WaterfallPart {
  std::string what;
  double change = 0;  // seconds
};

// Shown  the first parts, at most 14; the rest as one. A row each, time from left to right, between the bars of BEFORE and AFTER.
// Scale  from 0, unless the changes would then be too short to be seen: then it says where it begins.
// Size   960 user units wide, scales with whatever holds it; no script.
// REQUIRES: BEFORE and the changes of the parts add up to AFTER.
Markup waterfall_svg(double before, double after, const std::vector<WaterfallPart>& parts);

}  // namespace reprise::sim::report
