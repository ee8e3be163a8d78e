// SPDX-License-Identifier: MIT
#include "sim/mpip/lines.hpp"

#include <charconv>
#include <cmath>

#include "trace-io/base/error.hpp"

namespace reprise::sim::mpip {
namespace {

constexpr std::string_view kBlanks = " \t";

// Where the last printed digit of a number stands, as a power of ten.
double last_digit(std::string_view text, double value, int digits, bool fixed_point) {
  if (fixed_point) {
    const auto point = text.find('.');
    return point == std::string_view::npos
               ? 1.0
               : std::pow(10.0, -static_cast<double>(text.size() - point - 1));
  }
  if (value == 0) return 0;  // %g prints 0 for nothing but 0
  return std::pow(10.0, std::floor(std::log10(std::fabs(value))) - (digits - 1));
}

}  // namespace

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    auto line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back({line, lines.size() + 1});
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

Row::Row(const Line& line, const std::string& file)
    : place_(file + ":" + std::to_string(line.number)) {
  auto rest = line.text;
  for (;;) {
    const auto begin = rest.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return;
    rest.remove_prefix(begin);
    const auto end = rest.find_first_of(kBlanks);
    fields_.push_back(rest.substr(0, end));
    if (end == std::string_view::npos) return;
    rest.remove_prefix(end);
  }
}

void Row::refuse(const std::string& problem) const {
  throw InputError(place_, problem, "the report is damaged, or not from mpiP 3.1 to 3.5");
}

std::string Row::word(const char* column) {
  if (left() == 0) refuse(std::string("the row ends before its column ") + column);
  return std::string(fields_[next_++]);
}

std::uint64_t Row::count(const char* column) {
  const auto text = word(column);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    refuse("column " + std::string(column) + " holds \"" + text + "\", which is not a count");
  return value;
}

std::int32_t Row::number(const char* column) {
  const auto text = word(column);
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    refuse("column " + std::string(column) + " holds \"" + text +
           "\", which is not a whole number");
  return value;
}

std::int32_t Row::rank(const char* column) {
  if (peek() == "*") {
    ++next_;
    return kAllRanks;
  }
  const auto value = number(column);
  if (value < 0)
    refuse("column " + std::string(column) + " holds \"" + std::to_string(value) +
           "\", which is not a rank");
  return value;
}

double Row::real(const char* column) {
  const auto text = word(column);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument)
    refuse("column " + std::string(column) + " holds \"" + text + "\", which is not a number");
  // Out of range: mpiP's DBL_MAX is printed as 1.8e+308, which no double holds.
  return error == std::errc::result_out_of_range
             ? (text.find("e-") == std::string::npos ? HUGE_VAL : 0.0)
             : value;
}

Printed Row::printed(const char* column, int digits, bool fixed_point) {
  const auto text = std::string(peek());
  const double value = real(column);
  if (!std::isfinite(value)) return {value, 0};
  return {value, 0.5 * last_digit(text, value, digits, fixed_point)};
}

void Row::end() const {
  if (left() > 0) refuse("\"" + std::string(fields_[next_]) + "\" follows the row's last column");
}

}  // namespace reprise::sim::mpip
