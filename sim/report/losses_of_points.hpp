// SPDX-License-Identifier: MIT
// What a study's points could not represent, each loss once: for the page and the terminal alike.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace reprise::sim::report {

struct LossOfPoints {
  std::string name;        // "partial: calls replayed as recorded"
  std::uint64_t most = 0;  // how often, or how many MiB, at the point with most
  std::size_t points = 0;  // that have it
};

// RESULTS: "points" as in results.json. The gravest first, then by name. Cost: linear in the points' losses.
std::vector<LossOfPoints> losses_of_points(const nlohmann::ordered_json& results);
// "partial: calls replayed as recorded, up to 3 times (2 points)"
std::string describe(const LossOfPoints&);

}  // namespace reprise::sim::report
