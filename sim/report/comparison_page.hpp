// SPDX-License-Identifier: MIT
// The difference of two replays as a page: a sentence, the change of the run time part by part as a waterfall, and the tables.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace reprise::sim {

// COMPARISON: as docs/JSON.md has the answer of `reprise compare`.
std::string comparison_page(const nlohmann::ordered_json& comparison);

}  // namespace reprise::sim
