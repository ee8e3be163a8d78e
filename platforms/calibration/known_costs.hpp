// SPDX-License-Identifier: MIT
// Costs of messages as objects of platform files (/mpi, /intra_node/mpi), where some are measured and the others a base's.
//
// Inside    an object at /intra_node/mpi tells what differs from /mpi. So what a base says of messages inside a node is both together;
//           when /mpi becomes another one, measured between nodes, all of it moves to /intra_node/mpi, or messages inside a node would
//           silently cost what those between nodes do.
// Sources   a text for each key goes with its key; a text for the whole object becomes one for each.
#pragma once

#include <nlohmann/json.hpp>

namespace reprise::platforms {

// BASE's costs, those of MORE in their place.
nlohmann::ordered_json overlaid(nlohmann::ordered_json base, const nlohmann::ordered_json& more);

// What messages inside a node of this platform cost: all keys that /intra_node/mpi can have. PLATFORM: a platform file's object.
nlohmann::ordered_json costs_inside(const nlohmann::ordered_json& platform);

// INSIDE with what it needs so that it does not take from MPI, the costs between nodes, what it does not have itself.
nlohmann::ordered_json apart_from(nlohmann::ordered_json inside, const nlohmann::ordered_json& mpi);

}  // namespace reprise::platforms
