// SPDX-License-Identifier: MIT
#include "sim/number_ranges.hpp"

#include <algorithm>
#include <charconv>

#include "trace-io/base/error.hpp"

namespace reprise::sim {

NumberRanges parse_ranges(std::string_view text, const std::string& where) {
  NumberRanges ranges;
  const auto number = [&](std::string_view digits) {
    std::int64_t value = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || value < 0)
      throw InputError(where, "expected numbers and ranges, found \"" + std::string(text) + "\"",
                       "such as 0-3,8");
    return value;
  };
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view one = text.substr(begin, end - begin);
    const std::size_t dash = one.find('-');
    const std::int64_t first = number(one.substr(0, dash));
    ranges.push_back(
        {first, dash == std::string_view::npos ? first : number(one.substr(dash + 1))});
    if (ranges.back().last < first)
      throw InputError(where, "the range \"" + std::string(one) + "\" ends before it begins", "");
    begin = end + 1;
  }
  return ranges;
}

bool contains(const NumberRanges& ranges, std::int64_t number) {
  return ranges.empty() ||
         std::any_of(ranges.begin(), ranges.end(), [number](const NumberRange& range) {
           return range.first <= number && number <= range.last;
         });
}

std::int64_t highest(const NumberRanges& ranges) {
  std::int64_t last = -1;
  for (const auto& range : ranges) last = std::max(last, range.last);
  return last;
}

std::string to_text(const NumberRanges& ranges) {
  std::string text;
  for (const auto& range : ranges)
    text += (text.empty() ? "" : ",") + std::to_string(range.first) +
            (range.last > range.first ? "-" + std::to_string(range.last) : "");
  return text;
}

}  // namespace reprise::sim
