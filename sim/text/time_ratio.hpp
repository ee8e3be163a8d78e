// SPDX-License-Identifier: MIT
// How long something takes against something else, in one way wherever an answer compares two replays.
//
// Rule  of RATIO, the quotient of the two times: a saving in percent, whatever its size; more time in percent below a factor of two, and as a
//       factor from there on. Nobody reads percentages above 100 easily, and savings never reach that; so all savings of a report, and what
//       they are compared with, have one unit. The text follows "takes".
#pragma once

#include <string>

namespace reprise {

// "12.3% less time", "40% more time", "2.29 times as long". DIGITS are significant; savings above 99 % have one more.
std::string time_ratio_text(double ratio, int digits = 3);
inline bool is_told_as_factor(double ratio) { return ratio >= 2; }

}  // namespace reprise
