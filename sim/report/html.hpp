// SPDX-License-Identifier: MIT
// Texts and numbers as they stand in HTML.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace reprise::sim::report {

std::string escaped(std::string_view text);  // & < > " ' as entities, what is no UTF-8 as U+FFFD
std::string for_script(
    const nlohmann::ordered_json& value);  // JSON that cannot end the script it stands in

// SIGNIFICANT digits, never as an exponent: 0.07531, 12.3, 1 235 (with a thin space between thousands).
std::string digits(double value, int significant);
std::string whole(double value);       // to the nearest whole number: "1 235"
std::string percent(double share);     // "71 %", "3.4 %", "0.2 %"
std::string times(double factor);      // "1.34 ×"
std::string bytes_text(double bytes);  // "16.4 MB"
std::string seconds(double value);     // "75.3 ms", "1.234 s"
std::string exact(
    double value);  // as JSON has it: the shortest text that reads back as the same number
// "3 seeds", "1 seed".
std::string counted(std::uint64_t number, const std::string& noun);

// One unit for a column of times.
struct TimeUnit {
  const char* name;
  double seconds;
};
TimeUnit unit_for(double longest);

}  // namespace reprise::sim::report
