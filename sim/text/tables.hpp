// SPDX-License-Identifier: MIT
// JSON as text, and rows of JSON as tables of comma-separated values: the one place that indents, quotes and replaces.
//
// CSV   fields as in RFC 4180, lines ending in \n, a line of names on top; numbers as in the JSON.
// JSON  bytes that are no UTF-8 (paths may have some) become U+FFFD.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace reprise {

// Indented by so many blanks (−1: on one line), a line break at the end.
std::string json_text(const nlohmann::ordered_json&, int indent = 2);

std::string csv_field(const nlohmann::ordered_json& value);  // quoted where it must be; null: empty
// ROWS: an array of objects with the same plain values under the same keys, or one such object; at least one value each.
std::string csv_text(const nlohmann::ordered_json& rows);

}  // namespace reprise
