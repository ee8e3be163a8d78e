// SPDX-License-Identifier: MIT
#include "trace-io/base/units.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <span>
#include <system_error>
#include <vector>

#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"

namespace reprise {
namespace {

// The value of one unit is multiplier × 10^exponent. The exponent is joined to the number's own before the text becomes a
// double, so that decimal prefixes cost no rounding.
struct Unit {
  std::string_view name;
  int exponent = 0;
  double multiplier = 1;
};

struct Kind {
  std::string_view hint;
  std::span<const Unit> units;  // ascending; those that are used to write come first among equals
};

constexpr std::array kTimeUnits{Unit{"ps", -12},    Unit{"ns", -9},    Unit{"us", -6},
                                Unit{"ms", -3},     Unit{"s"},         Unit{"µs", -6},
                                Unit{"min", 0, 60}, Unit{"h", 0, 3600}};
constexpr double kKi = 1024, kMi = kKi * kKi, kGi = kMi * kKi, kTi = kGi * kKi;
constexpr std::array kByteUnits{Unit{"B"},           Unit{"kB", 3},       Unit{"MB", 6},
                                Unit{"GB", 9},       Unit{"TB", 12},      Unit{"KiB", 0, kKi},
                                Unit{"MiB", 0, kMi}, Unit{"GiB", 0, kGi}, Unit{"TiB", 0, kTi}};
constexpr std::array kRateUnits{Unit{"B/s"},
                                Unit{"kB/s", 3},
                                Unit{"MB/s", 6},
                                Unit{"GB/s", 9},
                                Unit{"TB/s", 12},
                                Unit{"KiB/s", 0, kKi},
                                Unit{"MiB/s", 0, kMi},
                                Unit{"GiB/s", 0, kGi},
                                Unit{"TiB/s", 0, kTi},
                                Unit{"bit/s", 0, 0.125},
                                Unit{"kbit/s", 3, 0.125},
                                Unit{"Mbit/s", 6, 0.125},
                                Unit{"Gbit/s", 9, 0.125},
                                Unit{"Tbit/s", 12, 0.125}};
constexpr std::array kFlopUnits{Unit{"flop/s"},     Unit{"kflop/s", 3},  Unit{"Mflop/s", 6},
                                Unit{"Gflop/s", 9}, Unit{"Tflop/s", 12}, Unit{"Pflop/s", 15}};

constexpr Kind kTime{"write a time such as \"0.6 us\" or \"20 ms\"", kTimeUnits};
constexpr Kind kSize{"write a size such as \"64 KiB\" or \"1 MB\"", kByteUnits};
constexpr Kind kRate{"write a rate such as \"12.5 GB/s\" or \"100 Gbit/s\"", kRateUnits};
constexpr Kind kFlops{"write a speed such as \"8.9 Gflop/s\"", kFlopUnits};
constexpr Kind kFactor{"write a factor such as \"0.5x\"", {}};

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Length of the decimal number that TEXT starts with: digits[.digits][e[±]digits]; 0 if there is none.
std::size_t number_length(std::string_view text) {
  std::size_t end = 0, digits = 0;
  while (end < text.size() && is_digit(text[end])) ++end, ++digits;
  if (end < text.size() && text[end] == '.') {
    ++end;
    while (end < text.size() && is_digit(text[end])) ++end, ++digits;
  }
  if (digits == 0) return 0;
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t exponent = end + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    const std::size_t first = exponent;
    while (exponent < text.size() && is_digit(text[exponent])) ++exponent;
    if (exponent > first) end = exponent;
  }
  return end;
}

struct Amount {
  std::string_view number;
  const Unit* unit = nullptr;
};

std::string unknown_unit_hint(std::string_view unit, const Kind& kind) {
  // "Gb/s" and "Gbps" mean bits to most people, but are one slip away from bytes: never guess between the two.
  if (kind.units.data() == kRateUnits.data() &&
      (unit.ends_with("b/s") || unit.ends_with("bps") || unit.ends_with("Bps")))
    return "write \"Gbit/s\" for bits and \"GB/s\" for bytes";
  std::vector<std::string> names;
  for (const Unit& known : kind.units) names.emplace_back(known.name);
  // Units are so short that two edits reach everything: only a difference in case counts as a slip.
  for (const std::string& name : names) {
    bool same = name.size() == unit.size();
    for (std::size_t i = 0; same && i < name.size(); ++i)
      same = (name[i] | 0x20) == (unit[i] | 0x20);
    if (same) return "did you mean " + quoted(name) + "?";
  }
  return std::string(kind.hint);
}

Amount split(std::string_view text, const Kind& kind, const std::string& where) {
  const std::string hint(kind.hint);
  if (text.starts_with('-')) throw InputError(where, quoted(text) + " is negative", hint);
  const std::size_t length = number_length(text);
  if (length == 0) throw InputError(where, quoted(text) + " does not start with a number", hint);
  std::string_view unit = text.substr(length);
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  if (unit.empty()) throw InputError(where, quoted(text) + " has no unit", hint);
  for (const Unit& known : kind.units)
    if (known.name == unit) return {text.substr(0, length), &known};
  throw InputError(where, quoted(text) + " has an unknown unit " + quoted(unit),
                   unknown_unit_hint(unit, kind));
}

// None where the value is out of a double's range.
std::optional<double> decimal_value(std::string_view number, int exponent) {
  std::size_t mantissa_end = number.find_first_of("eE");
  int own_exponent = 0;
  if (mantissa_end != std::string_view::npos) {
    std::string_view digits = number.substr(mantissa_end + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), own_exponent);
    if (error != std::errc{} || std::abs(own_exponent) > 10000) return std::nullopt;
  }
  std::string text(number.substr(0, mantissa_end));
  if (text.front() == '.') text.insert(text.begin(), '0');
  text += 'e' + std::to_string(own_exponent + exponent);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  return value;
}

[[noreturn]] void out_of_range(std::string_view text, const Kind& kind, const std::string& where) {
  throw InputError(where, quoted(text) + " is out of range", std::string(kind.hint));
}

double parse_double(std::string_view text, const Kind& kind, const std::string& where) {
  const Amount amount = split(text, kind, where);
  const std::optional<double> value = decimal_value(amount.number, amount.unit->exponent);
  if (!value || !std::isfinite(*value * amount.unit->multiplier)) out_of_range(text, kind, where);
  return *value * amount.unit->multiplier;
}

// VALUE = 0.DIGITS × 10^point, with the fewest digits that give VALUE back. REQUIRES: value > 0.
struct Decimal {
  std::string digits;
  int point = 0;
};

Decimal shortest_decimal(double value) {
  std::array<char, 64> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                    std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(result.ptr - buffer.data()));
  const std::size_t e = text.find('e');
  Decimal decimal{std::string(1, text[0]), 0};
  if (e > 2) decimal.digits += text.substr(2, e - 2);
  const char* exponent = text.data() + (text[e + 1] == '+' ? e + 2 : e + 1);
  std::from_chars(exponent, result.ptr, decimal.point);
  ++decimal.point;
  return decimal;
}

std::string positional_text(const Decimal& decimal) {
  const std::string& digits = decimal.digits;
  const int count = static_cast<int>(digits.size()), point = decimal.point;
  if (point > 15 || point < -5) return digits + 'e' + std::to_string(point - count);
  if (point <= 0) return "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  if (point >= count) return digits + std::string(static_cast<std::size_t>(point - count), '0');
  return std::string(digits).insert(static_cast<std::size_t>(point), 1, '.');
}

// UNITS: powers of ten, ascending.
std::string decimal_text(double value, std::span<const Unit> units, std::string_view unit_of_zero) {
  if (value == 0) return "0 " + std::string(unit_of_zero);
  Decimal decimal = shortest_decimal(value);
  const Unit* chosen = &units.front();
  for (const Unit& unit : units)
    if (decimal.point > unit.exponent) chosen = &unit;
  decimal.point -= chosen->exponent;
  return positional_text(decimal) + ' ' + std::string(chosen->name);
}

// NUMBER × 10^exponent where that is a whole number written without an exponent: exact up to 2^64, past a double's 2^53.
std::optional<std::uint64_t> exact_whole(std::string_view number, int exponent, bool& too_large) {
  if (number.find_first_of("eE") != std::string_view::npos) return std::nullopt;
  const std::size_t point = std::min(number.find('.'), number.size());
  std::string digits = '0' + std::string(number.substr(0, point));  // ".5" has none of its own
  std::string_view fraction = point < number.size() ? number.substr(point + 1) : std::string_view{};
  while (fraction.ends_with('0')) fraction.remove_suffix(1);
  if (fraction.size() > static_cast<std::size_t>(exponent)) return std::nullopt;
  digits += fraction;
  digits.append(static_cast<std::size_t>(exponent) - fraction.size(), '0');
  std::uint64_t value = 0;
  too_large =
      std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc{};
  return value;
}

}  // namespace

Seconds parse_seconds(std::string_view text, const std::string& where) {
  return Seconds{parse_double(text, kTime, where)};
}

BytesPerSecond parse_bytes_per_second(std::string_view text, const std::string& where) {
  return BytesPerSecond{parse_double(text, kRate, where)};
}

FlopPerSecond parse_flop_per_second(std::string_view text, const std::string& where) {
  return FlopPerSecond{parse_double(text, kFlops, where)};
}

Bytes parse_bytes(std::string_view text, const std::string& where) {
  const Amount amount = split(text, kSize, where);
  bool too_large = false;
  if (const auto whole = exact_whole(amount.number, amount.unit->exponent, too_large)) {
    const auto factor = static_cast<std::uint64_t>(amount.unit->multiplier);
    if (too_large || *whole > std::numeric_limits<std::uint64_t>::max() / factor)
      out_of_range(text, kSize, where);
    return Bytes{*whole * factor};
  }
  const double value = parse_double(text, kSize, where);
  constexpr double kExactIntegers = 9007199254740992.0;  // 2^53
  if (value >= kExactIntegers) out_of_range(text, kSize, where);
  const double rounded = std::nearbyint(value);
  // "1e-1 kB" is 100 bytes although 0.1 has no exact double: forgive rounding, not fractions of a byte.
  if (std::abs(value - rounded) > 1e-12 * value)
    throw InputError(where, quoted(text) + " is not a whole number of bytes",
                     std::string(kSize.hint));
  return Bytes{static_cast<std::uint64_t>(rounded)};
}

// The factor that "1/1.6" or "0.5" means, as a hint.
static std::optional<std::string> factor_meant(std::string_view text) {
  if (text.ends_with('x')) text.remove_suffix(1);
  const std::size_t slash = text.find('/');
  const auto number = [](std::string_view part) {
    return number_length(part) == part.size() ? decimal_value(part, 0) : std::nullopt;
  };
  const auto above = number(text.substr(0, slash));
  const auto below =
      slash == std::string_view::npos ? std::optional(1.0) : number(text.substr(slash + 1));
  if (!above || !below || *above <= 0 || *below <= 0) return std::nullopt;
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.6g", *above / *below);
  return "write \"" + std::string(digits) + "x\"";
}

double parse_factor(std::string_view text, const std::string& where, LeastFactor least) {
  const std::string hint(kFactor.hint);
  if (text.starts_with('-')) throw InputError(where, quoted(text) + " is negative", hint);
  const std::size_t length = number_length(text);
  if (length == 0) throw InputError(where, quoted(text) + " does not start with a number", hint);
  const bool is_percentage = text.substr(length) == "%";
  if (text.substr(length) != "x" && !is_percentage)
    throw InputError(where, quoted(text) + " is not a factor", factor_meant(text).value_or(hint));
  const std::optional<double> value = decimal_value(text.substr(0, length), is_percentage ? -2 : 0);
  if (!value) throw InputError(where, quoted(text) + " is out of range", hint);
  if (*value == 0 && least == LeastFactor::zero) return 0;
  if (*value == 0) throw InputError(where, quoted(text) + " is not above zero", hint);
  if (*value < 1e-9 || *value > 1e9)  // a slip; times made with it leave what a double tells apart
    throw InputError(where, quoted(text) + " is not between 1e-9x and 1e9x", hint);
  return *value;
}

std::uint64_t parse_count(std::string_view text, const std::string& where) {
  const std::string hint = "write a whole number such as \"64\"";
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range)
    throw InputError(where, quoted(text) + " is out of range", hint);
  if (error != std::errc{} || end != text.data() + text.size())
    throw InputError(where, quoted(text) + " is not a whole number", hint);
  return value;
}

std::string to_text(Seconds time) {
  if (time.value < 0) return '-' + to_text(Seconds{-time.value});
  return decimal_text(time.value, std::span(kTimeUnits).first(5), "s");
}

std::string to_text(BytesPerSecond rate) {
  return decimal_text(rate.value, std::span(kRateUnits).first(5), "B/s");
}

std::string to_text(FlopPerSecond speed) { return decimal_text(speed.value, kFlopUnits, "flop/s"); }

std::string to_text(Bytes size) {
  const auto bytes = size.value;
  // Whole multiples of a binary unit are written in it ("64 KiB"), all else in decimal units ("12.345 kB").
  for (const Unit& unit : {kByteUnits[8], kByteUnits[7], kByteUnits[6], kByteUnits[5]}) {
    const auto one = static_cast<std::uint64_t>(unit.multiplier);
    if (bytes >= one && bytes % one == 0 && (bytes / one < 1024 || unit.name == "TiB"))
      return std::to_string(bytes / one) + ' ' + std::string(unit.name);
  }
  std::uint64_t one = 1;
  const Unit* chosen = &kByteUnits[0];
  for (std::size_t i = 1; i < 5 && bytes / one >= 1000; ++i) one *= 1000, chosen = &kByteUnits[i];
  std::string text = std::to_string(bytes / one);
  if (bytes % one != 0) {
    std::string fraction = std::to_string(bytes % one + one).substr(1);  // leading zeros kept
    fraction.erase(fraction.find_last_not_of('0') + 1);
    text += '.' + fraction;
  }
  return text + ' ' + std::string(chosen->name);
}

std::string to_text(Nanoseconds duration) {
  constexpr std::array<std::string_view, 4> kUnits{"ns", "us", "ms", "s"};
  std::int64_t value = duration.value;
  std::size_t unit = 0;
  for (; value != 0 && value % 1000 == 0 && unit + 1 < kUnits.size(); value /= 1000) ++unit;
  return std::to_string(value).append(kUnits[unit]);
}

}  // namespace reprise
