// SPDX-License-Identifier: MIT
// Numbers as a reader of the page wants them: few digits, units, a thin space between thousands.
#pragma once

#include <cstdint>
#include <string>

namespace reprise::sim::report {

// SIGNIFICANT digits, never as an exponent: 0.07531, 12.3, 1 235.
std::string digits(double value, int significant);
std::string whole(double value);        // to the nearest whole number: "1 235"
std::string percent(double share);      // "71 %", "3.4 %", "0.2 %"
std::string weight_text(double share);  // of what somebody has chosen: "75 %", "12.5 %", "33.3 %"
std::string times(double factor);       // "1.34 ×"
std::string bytes_text(double bytes);   // "16.4 MB"
std::string seconds(double value);      // "75.3 ms", "1.234 s"
// As JSON has it: the shortest text that reads back as the same number.
std::string exact(double value);
std::string counted(std::uint64_t number, const std::string& noun);  // "3 seeds", "1 seed"
std::string shade(double share);  // as a colour, light to dark blue: 0 is "#e8f1fa", 1 is "#084594"

// One unit for a column of times.
struct TimeUnit {
  const char* name;
  double seconds;
};
TimeUnit unit_for(double longest);
// Without the unit: "75.3 – 76.1".
std::string range_text(double low, double high, const TimeUnit&, const char* between = " – ");

}  // namespace reprise::sim::report
