// SPDX-License-Identifier: MIT
// Which node and core each rank runs on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/platform.hpp"
#include "platforms/routes.hpp"

namespace reprise::platforms {

enum class PlacementOrder {
  kBlock,   // fill a node's cores, then the next node's: ranks 0 … cores-1 on node 0
  kCyclic,  // deal ranks out over the nodes in turn: rank r on node r mod nodes
};

struct RankLocation {
  NodeIndex node = 0;
  std::uint32_t core = 0;  // within the node
  friend constexpr bool operator==(RankLocation, RankLocation) = default;
};

// "block" or "cyclic"; else InputError{WHERE, …}.
PlacementOrder parse_placement_order(std::string_view text, const std::string& where);

// By rank. Where there are more ranks than cores, the ranks are spread evenly over the nodes and share their cores.
std::vector<RankLocation> place_ranks(std::uint32_t ranks, const Platform&, PlacementOrder);

}  // namespace reprise::platforms
