// SPDX-License-Identifier: MIT
#include "platforms/xml/simgrid_units.hpp"

#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

struct Number {
  double value;
  std::string_view unit;
};

Number split(const std::string& text, const std::string& where) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value) || value < 0)
    throw InputError(where, "\"" + text + "\" is not a number of 0 or more");
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  return {value, unit};
}

[[noreturn]] void refuse_unit(std::string_view unit, const std::string& text,
                              const std::string& where, const char* examples) {
  throw InputError(where, "no unit \"" + std::string(unit) + "\" in \"" + text + "\"",
                   std::string("write a number such as ") + examples);
}

// The factor of a prefix: "", "k" … "Y" by 1000, "Ki" … "Yi" by 1024; 0 where it is none.
double prefix_factor(std::string_view prefix) {
  constexpr std::string_view kLetters = "kMGTPEZY";
  if (prefix.empty()) return 1;
  const bool binary = prefix.size() == 2 && prefix[1] == 'i';
  if (prefix.size() != 1 && !binary) return 0;
  const char letter = binary && prefix[0] == 'K' ? 'k' : prefix[0];
  const auto power = kLetters.find(letter);
  if (power == std::string_view::npos) return 0;
  return std::pow(binary ? 1024.0 : 1000.0, static_cast<double>(power + 1));
}

}  // namespace

FlopPerSecond simgrid_speed(const std::string& text, const std::string& where) {
  const std::string first = text.substr(0, text.find(','));
  const Number number = split(first, where);
  if (number.unit.empty()) return {number.value};
  std::string_view prefix = number.unit;
  if (!prefix.ends_with('f')) refuse_unit(number.unit, text, where, "\"1Gf\"");
  prefix.remove_suffix(1);
  const double factor = prefix_factor(prefix);
  if (factor == 0) refuse_unit(number.unit, text, where, "\"1Gf\"");
  return {number.value * factor};
}

BytesPerSecond simgrid_bandwidth(const std::string& text, const std::string& where) {
  const Number number = split(text, where);
  if (number.unit.empty()) return {number.value};
  std::string_view prefix = number.unit;
  const bool bits = prefix.ends_with("bps");
  if (!bits && !prefix.ends_with("Bps"))
    refuse_unit(number.unit, text, where, "\"12.5GBps\" or \"100Gbps\"");
  prefix.remove_suffix(3);
  const double factor = prefix_factor(prefix);
  if (factor == 0) refuse_unit(number.unit, text, where, "\"12.5GBps\" or \"100Gbps\"");
  return {number.value * factor / (bits ? 8 : 1)};
}

Seconds simgrid_time(const std::string& text, const std::string& where) {
  static constexpr std::pair<std::string_view, double> kUnits[] = {
      {"", 1}, {"s", 1}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}, {"ps", 1e12}};
  const Number number = split(text, where);
  for (const auto& [unit, per_second] : kUnits)
    if (unit == number.unit) return Seconds{number.value / per_second};
  refuse_unit(number.unit, text, where, "\"1us\"");
}

}  // namespace reprise::platforms
