// SPDX-License-Identifier: MIT
// Collectives whose algorithm the platform's file, a scenario or --set names, and for which another one was played: for few elements,
// some numbers of ranks, operators that do not commute. The reader would take the answer for that of the algorithm named.
//
// Cost  O(algorithms named), a handful.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/outcome.hpp"

namespace reprise::sim {

// "/mpi/collectives/allreduce: ring was asked for, recursive_doubling was played in all 40 calls (fewer elements than ranks), as Open MPI does",
// one for each operation, algorithm and reason.
std::vector<std::string> describe_replaced(const Outcome&);
// The key "replaced_algorithms", where there are any.
void add_replaced(nlohmann::ordered_json&, const Outcome&);

}  // namespace reprise::sim
