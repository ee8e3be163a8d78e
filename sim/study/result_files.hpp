// SPDX-License-Identifier: MIT
// DIR/results.json, DIR/results.csv, DIR/report.html: each whole or, where writing fails, as it was.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace reprise::sim {

// Returns their paths. Throws RunError naming the file and the system's reason.
std::vector<std::string> write_results(const std::string& folder,
                                       const nlohmann::ordered_json& results);

// The points as a table (RFC 4180): a column for each axis, then the numbers of results_of.
std::string results_csv(const nlohmann::ordered_json& results);

}  // namespace reprise::sim
