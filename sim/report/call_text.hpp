// SPDX-License-Identifier: MIT
// The call that a row of a table is about, as the answer's JSON has it: "procedure", "place", "caller".
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace reprise::sim::report {

// "MPI_Send (halo.c:12, called at step.c:88)"; empty where the row has no call. The place alone: what stands in the brackets.
std::string call_of(const nlohmann::ordered_json& row);
std::string place_of(const nlohmann::ordered_json& row);

}  // namespace reprise::sim::report
