// SPDX-License-Identifier: MIT
// What two answers say of their own doubt, and what becomes of the difference between them then.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace reprise::sim {

// A note for each doubt that either answer states: progress_in_calls, other_sharing. An answer that does not state it counts with its own time: it would
// change by less than the limit from which answers state a doubt (progress_in_calls.hpp, other_sharing.hpp), or its platform settles the question.
std::vector<std::string> notes_on_doubt(const nlohmann::ordered_json& before,
                                        const nlohmann::ordered_json& after);

}  // namespace reprise::sim
