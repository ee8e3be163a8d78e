// SPDX-License-Identifier: MIT
// What two answers say of their own doubt, and what becomes of the difference between them then.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace reprise::sim {

// A note for each doubt that either answer notices (progress_in_calls, other_sharing), with the change if both times are taken under that
// assumption. Where an answer does not have its own, the note says so, and how to get it: times of two assumptions are not compared.
std::vector<std::string> notes_on_doubt(const nlohmann::ordered_json& before,
                                        const nlohmann::ordered_json& after);

}  // namespace reprise::sim
