// SPDX-License-Identifier: MIT
// What two answers say of their own doubt, and what becomes of the difference between them then.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace reprise::sim {

// A note for each doubt that either of them states: progress_in_calls, other_sharing. One that does not state it counts with its own time, from
// which it differs then by less than what is told (progress_in_calls.hpp, other_sharing.hpp), or is known not to.
std::vector<std::string> notes_on_doubt(const nlohmann::ordered_json& before,
                                        const nlohmann::ordered_json& after);

}  // namespace reprise::sim
