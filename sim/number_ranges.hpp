// SPDX-License-Identifier: MIT
// Sets of ranks or nodes as people write them: "0-3,8".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::sim {

struct NumberRange {
  std::int64_t first = 0, last = 0;  // both included, first ≤ last
};
using NumberRanges = std::vector<NumberRange>;

// Throws InputError{WHERE, …}.
NumberRanges parse_ranges(std::string_view text, const std::string& where);
// An empty set means everything.
bool contains(const NumberRanges&, std::int64_t number);
std::int64_t highest(const NumberRanges&);  // −1 where there is none
std::string to_text(const NumberRanges&);   // "0-3,8"

}  // namespace reprise::sim
