// SPDX-License-Identifier: MIT
#include "sim/report/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

namespace reprise::sim::report {
namespace {

constexpr const char* kThinSpace = "\u202f";

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

std::string digits(double value, int significant) {
  if (!std::isfinite(value)) return "–";
  if (value == 0) return "0";
  char text[64];  // rounded first: 0.9996 has the magnitude of 1
  std::snprintf(text, sizeof text, "%.*e", significant - 1, value);
  const int magnitude = std::atoi(std::strchr(text, 'e') + 1);
  return fixed(value, std::clamp(significant - 1 - magnitude, 0, 15));
}

std::string whole(double value) { return fixed(value, 0); }

std::string weight_text(double share) {
  const double tenths = std::round(1000 * share);
  return fixed(tenths / 10, std::fmod(tenths, 10) == 0 ? 0 : 1) + kThinSpace + "%";
}

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

std::string exact(double value) { return nlohmann::json(value).dump(); }

std::string counted(std::uint64_t number, const std::string& noun) {
  return whole(static_cast<double>(number)) + " " + noun + (number == 1 ? "" : "s");
}

TimeUnit unit_for(double longest) {
  if (longest >= 0.9995 || longest <= 0) return {"s", 1};
  return longest >= 0.9995e-3 ? TimeUnit{"ms", 1e-3} : TimeUnit{"µs", 1e-6};
}

std::string range_text(double low, double high, const TimeUnit& unit, const char* between) {
  return digits(low / unit.seconds, 4) + between + digits(high / unit.seconds, 4);
}

std::string shade(double share) {
  const auto mix = [share](double from, double to) {
    return static_cast<int>(std::lround(from + (to - from) * share));
  };
  char text[16];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", mix(0xe8, 0x08), mix(0xf1, 0x45),
                mix(0xfa, 0x94));
  return text;
}

}  // namespace reprise::sim::report
