// SPDX-License-Identifier: MIT
// Which node and core each rank runs on.
#pragma once

#include <cstdint>
#include <optional>
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

// Where ranks go: by an order, or each on a node of its own choice.
struct Placement {
  PlacementOrder order = PlacementOrder::kBlock;
  std::vector<NodeIndex> nodes;  // by rank; empty: by order
  std::string file;              // that names them, for messages

  Placement() = default;
  Placement(PlacementOrder by) : order(by) {}  // NOLINT: an order is a placement
};

struct RankLocation {
  NodeIndex node = 0;
  std::uint32_t core = 0;  // within the node
  friend constexpr bool operator==(RankLocation, RankLocation) = default;
};

// "block" or "cyclic"; else InputError{WHERE, …}.
PlacementOrder parse_placement_order(std::string_view text, const std::string& where);

// "block", "cyclic", or the path of a file: one node a line, rank 0's first, by its name (Nodes::names) or its number; "NODE:N" stands
// for N ranks; `#` begins a comment. Throws InputError naming file and line.
Placement load_placement(const std::string& text, const Platform&, const std::string& where);

// By rank; on a node the cores are taken in order. Where there are more ranks than cores, the ranks are spread evenly over the nodes and
// share their cores; a file may put any number on a node. Throws InputError where the file names fewer places than there are ranks.
std::vector<RankLocation> place_ranks(std::uint32_t ranks, const Platform&, const Placement&);

}  // namespace reprise::platforms
