// SPDX-License-Identifier: MIT
// What a reader of a study's results must not overlook: changes of which nothing came anywhere; axes along which no time changes, everywhere
// or at one value of another axis. A bandwidth that makes no difference may be an answer, or a sign that all ranks fit on one node.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace reprise::sim {

// Texts, by axis. RESULTS: "study" and "points" as in results.json. Cost: O(points × axes²).
nlohmann::ordered_json remarks_on(const nlohmann::ordered_json& results);

// What replays of the points would note, with how many points have it where not all do, and the widest of their calibration bands. Recordings that
// were disturbed are one note. The points themselves have it in their rows; this is for who lists few of them.
nlohmann::ordered_json remarks_of_points(const nlohmann::ordered_json& results);

// A text without the numbers that stand alone: not those of names ("ethernet-10g") and of places ("heat2d+0x1981"). Texts that are then
// equal say the same of different figures.
std::string without_figures(const std::string& text);

}  // namespace reprise::sim
