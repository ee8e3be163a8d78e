// SPDX-License-Identifier: MIT
// The numbers that Paraver files give MPI procedures, as Extrae does (its MPI_Event_Values): readers such as prv2dim know them by these alone.
#pragma once

#include <cstdint>
#include <string_view>

namespace reprise::sim {

// 0: it has none.
std::int64_t extrae_number(std::string_view procedure);

}  // namespace reprise::sim
