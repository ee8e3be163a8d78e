// SPDX-License-Identifier: MIT
// The points of a study: every combination of the axes' values that is not left out, the last axis running fastest.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/study/study.hpp"

namespace reprise::sim {

struct Point {
  std::vector<std::size_t> values;  // for each axis which of its values
  bool is_baseline = false;
};

// More than this many simulations are refused as a mistake.
inline constexpr std::uint64_t kMostSimulations = 1'000'000;

// Throws InputError where there are more than kMostSimulations, seeds counted.
std::vector<Point> points_of(const Study&);

// {"machine":"EDR","placement":"block"}
nlohmann::ordered_json labels_of(const Study&, const Point&);
// "machine EDR, placement block"; "the only point" where there are no axes.
std::string describe(const Study&, const Point&);

}  // namespace reprise::sim
