// SPDX-License-Identifier: MIT
// How sure the difference of two answers is: whether it is between recordings made separately, and the ranges of both sides.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace reprise::sim {

struct PartChange;

// The text that follows "how sure". LARGEST: the first of the changes, or null.
std::string how_sure(const nlohmann::ordered_json& before, const nlohmann::ordered_json& after,
                     const PartChange* largest);

// What either answer says that a reader must know: its remarks, what it does not represent, changes without effect; "before: …", "after: …", or, where
// both say it, "before and after: …". Remarks on doubts of which there is a note of the difference (doubt.hpp) are left out.
std::vector<std::string> notes_of_sides(const nlohmann::ordered_json& before,
                                        const nlohmann::ordered_json& after);

}  // namespace reprise::sim
