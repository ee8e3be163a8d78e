// SPDX-License-Identifier: MIT
// The actions of `reprise platform` that have a file of their own, and what they share.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "platforms/placement.hpp"
#include "platforms/platform.hpp"
#include "sim/cli/verb.hpp"

namespace reprise::cli {

// A platform file of measurements, made here by the probe or elsewhere by known tools.
int calibrate_platform(const Arguments&);
// A placement file for a trace, searched for (platforms/placement_search.hpp).
int platform_place(const Arguments&);
// A machine in words, the route between two of its nodes, its picture.
int platform_show(const Arguments&);

// What messages cost more after computing (platforms/cold_caches.hpp), at two sizes; empty where the file does not say.
std::string cold_text(const platforms::Platform&);
nlohmann::ordered_json cold_json(const platforms::Platform&);

// "fat tree of 2 levels", "torus 8×8×8"
std::string topology_of(const platforms::Platform&);
// "648 nodes of 32 cores"
std::string size_of(const platforms::Platform&);

// Which algorithms are chosen for collectives, by size.
struct CollectivesQuestion {
  std::int32_t ranks = 1;
  platforms::Placement placement;  // which nodes the ranks are on, as in a replay
  std::string placement_name;      // as it was asked for
  std::string mpi_library;         // "Open MPI 4.1.4": what a trace would have been recorded with
};

// Both throw InputError for names that there are not, and for a placement that does not fit the machine.
std::string collectives_text(const platforms::Platform&, const CollectivesQuestion&);
std::string collectives_json(const platforms::Platform&, const CollectivesQuestion&);

}  // namespace reprise::cli
