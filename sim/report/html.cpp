// SPDX-License-Identifier: MIT
#include "sim/report/html.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace reprise::sim::report {
namespace {

using nlohmann::ordered_json;

constexpr const char* kThinSpace = "\u202f";

// Bytes that are no UTF-8 replaced, as the JSON library does it.
std::string valid(std::string_view text) {
  const std::string quoted =
      ordered_json(text).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  return ordered_json::parse(quoted).get<std::string>();
}

std::string fixed(double value, int decimals) {
  char text[400];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  std::string result = text;
  const std::size_t point = std::min(result.find('.'), result.size()),
                    first = result[0] == '-' ? 1 : 0;
  for (std::size_t at = point; at > first + 3; at -= 3) result.insert(at - 3, kThinSpace);
  return result;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : valid(text)) switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  return result;
}

std::string for_script(const ordered_json& value) {
  std::string result;
  for (const char c : value.dump(-1, ' ', false, ordered_json::error_handler_t::replace))
    if (c == '<')
      result += "\\u003c";
    else
      result += c;
  return result;
}

std::string digits(double value, int significant) {
  if (!std::isfinite(value)) return "–";
  if (value == 0) return "0";
  char text[64];
  std::snprintf(text, sizeof text, "%.*e", significant - 1,
                value);  // rounded first: 0.9996 has the magnitude of 1
  const int magnitude = std::atoi(std::strchr(text, 'e') + 1);
  return fixed(value, std::clamp(significant - 1 - magnitude, 0, 15));
}

std::string whole(double value) { return fixed(value, 0); }

std::string percent(double share) {
  const double value = 100 * share, size = std::abs(value);
  const int decimals = size >= 9.95 || value == 0 ? 0 : size >= 0.095 ? 1 : 2;
  char text[32];
  std::snprintf(text, sizeof text, "%.*f%s%%", decimals, value, kThinSpace);
  return text;
}

std::string times(double factor) { return digits(factor, 3) + kThinSpace + "×"; }

std::string bytes_text(double bytes) {
  static constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < std::size(kUnits)) {
    bytes /= 1000;
    ++unit;
  }
  return digits(bytes, 3) + kThinSpace + kUnits[unit];
}

std::string seconds(double value) {
  const TimeUnit unit = unit_for(value);
  return digits(value / unit.seconds, 4) + kThinSpace + unit.name;
}

std::string exact(double value) { return ordered_json(value).dump(); }

std::string counted(std::uint64_t number, const std::string& noun) {
  return whole(static_cast<double>(number)) + " " + noun + (number == 1 ? "" : "s");
}

TimeUnit unit_for(double longest) {
  if (longest >= 0.9995 || longest <= 0) return {"s", 1};
  return longest >= 0.9995e-3 ? TimeUnit{"ms", 1e-3} : TimeUnit{"µs", 1e-6};
}

}  // namespace reprise::sim::report
