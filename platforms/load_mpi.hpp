// SPDX-License-Identifier: MIT
// What MPI costs and how it carries out collectives: "mpi" of a platform file, and of its "intra_node". Both throw InputError.
#pragma once

#include "platforms/json/object_reader.hpp"
#include "platforms/platform.hpp"

namespace reprise::platforms {

void read_mpi(const nlohmann::json& value, JsonPlace, Platform&);
// Into intra_node_mpi, which holds the network's costs: what is not there stays.
void read_mpi_override(const nlohmann::json& value, JsonPlace, Platform&);

}  // namespace reprise::platforms
