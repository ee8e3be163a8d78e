// SPDX-License-Identifier: MIT
// Values that changes have in common: factors, and ranges of ranks or nodes.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "platforms/json/object_reader.hpp"
#include "sim/number_ranges.hpp"

namespace reprise::sim {

// A plain number, "2x" or "25%"; from 1e-9 to 1e9.
double read_factor(platforms::ObjectReader&, std::string_view key);
// "0-3,8", or one number as it is.
NumberRanges read_ranges(platforms::ObjectReader&, std::string_view key);

}  // namespace reprise::sim
