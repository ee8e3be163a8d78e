// SPDX-License-Identifier: MIT
// All topologies: a new one is a line of the includes and a word of the list.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <variant>

#include "platforms/topologies/dragonfly.hpp"
#include "platforms/topologies/fat_tree.hpp"
#include "platforms/topologies/hyperx.hpp"
#include "platforms/topologies/routed_by_simgrid.hpp"
#include "platforms/topologies/star.hpp"
#include "platforms/topologies/torus.hpp"

namespace reprise::platforms {

struct JsonPlace;

// A closed set, so a platform stays a plain value that is copied and compared, and the compiler says what a new topology lacks.
using Topology = std::variant<Star, FatTree, Torus, Dragonfly, HyperX, RoutedBySimgrid>;

static_assert([]<class... Each>(const std::variant<Each...>*) {
  return (IsTopology<Each> && ...);
}(static_cast<const Topology*>(nullptr)));

// The names, as "kind" in a platform file has them.
std::vector<std::string_view> topology_kinds();

// The object "topology" of a platform file; its kind decides which other keys there are. Throws InputError, also where there is no
// room for NODES.
Topology read_topology(const nlohmann::json& value, const JsonPlace&, NodeIndex nodes,
                       const LinkSpec& network_link, SourceNotes&);

// Every kind of cable; see topology.hpp. The pointers are valid as long as both arguments stay where they are.
std::vector<Cable> cables_of(Topology&, LinkSpec& network_link, NodeIndex nodes);

// Why NODES do not fit, and what makes the topology larger: "the tree has room for 32 nodes, the product of "down" over the levels; …"; empty where
// they fit.
std::string lack_of_room(const Topology&, NodeIndex nodes);

// Whether two have the same switches and cables, whatever the cables' figures are.
bool have_one_shape(Topology, Topology);

}  // namespace reprise::platforms
