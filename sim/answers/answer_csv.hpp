// SPDX-License-Identifier: MIT
// Parts of an answer as tables of comma-separated values (fields as in RFC 4180, lines ending in \n), with a
// line of names on top; numbers as in the JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace reprise::sim {

// ROWS: an array of objects with the same plain values under the same keys, or one such object; at least one value each.
std::string csv_of(const nlohmann::ordered_json& rows);
// A part of to_json()'s answer, by its key: matrix and time line with a line for each cell that is not empty.
std::string part_as_csv(const nlohmann::ordered_json& part, std::string_view key);

}  // namespace reprise::sim
