// SPDX-License-Identifier: MIT
// What a reader of a study's results must not overlook: changes of which nothing came anywhere; axes along which no time changes, everywhere or at one value of another axis.
// A bandwidth that makes no difference may be an answer, or a sign that all ranks fit on one node.
#pragma once

#include <nlohmann/json.hpp>

namespace reprise::sim {

// Texts, by axis. RESULTS: "study" and "points" as in results.json. Cost: O(points × axes²).
nlohmann::ordered_json remarks_on(const nlohmann::ordered_json& results);

}  // namespace reprise::sim
