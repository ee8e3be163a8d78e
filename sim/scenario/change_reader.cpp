// SPDX-License-Identifier: MIT
#include "sim/scenario/change_reader.hpp"

#include <string>

#include "trace-io/base/units.hpp"

namespace reprise::sim {

using platforms::describe_value;
using platforms::ObjectReader;

namespace {
// A factor beyond these is a slip, and would take times out of what a double can tell apart.
constexpr double kLeast = 1e-9, kMost = 1e9;
constexpr const char* kHint = "write a number above zero, \"2x\" or \"25%\"";

double factor_in(const ObjectReader& reader, std::string_view key, const nlohmann::json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string())
    reader.refuse(key, "expected a factor, found " + describe_value(value), kHint);
  std::string text = value.get<std::string>();
  const bool is_percentage = text.ends_with('%');
  if (is_percentage) text.back() = 'x';
  if (!text.ends_with('x')) reader.refuse(key, '"' + text + "\" is not a factor", kHint);
  try {
    return parse_factor(text, "") * (is_percentage ? 0.01 : 1);
  } catch (const std::exception&) {
    reader.refuse(key, describe_value(value).substr(9) + " is not a factor above zero", kHint);
  }
}
}  // namespace

double read_factor(ObjectReader& reader, std::string_view key) {
  const nlohmann::json& value = reader.any(key);
  const double factor = factor_in(reader, key, value);
  if (!(factor > 0)) reader.refuse(key, value.dump() + " is not above zero", kHint);
  if (factor < kLeast || factor > kMost)
    reader.refuse(key, value.dump() + " is not between 1e-9 and 1e9");
  return factor;
}

NumberRanges read_ranges(ObjectReader& reader, std::string_view key) {
  const nlohmann::json& value = reader.any(key);
  const std::string where = reader.place().child(key).text();
  if (value.is_number_unsigned()) return parse_ranges(value.dump(), where);
  if (!value.is_string())
    reader.refuse(key, "expected numbers and ranges, found " + describe_value(value),
                  "write a text such as \"0-3,8\"");
  return parse_ranges(value.get<std::string>(), where);
}

}  // namespace reprise::sim
