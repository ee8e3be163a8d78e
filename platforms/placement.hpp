// SPDX-License-Identifier: MIT
// Which node and core each rank runs on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/node_order.hpp"
#include "platforms/platform.hpp"
#include "platforms/routes.hpp"

namespace reprise::platforms {

enum class PlacementOrder {
  kBlock,   // fill a node's cores, then the next node's: ranks 0 … cores-1 on the first node
  kCyclic,  // deal ranks out over the nodes in turn: rank r on node r mod nodes
  kPlane,   // deal them out in portions of so many consecutive ranks
  kRandom,  // the places of block, ranks dealt out among them by a seeded shuffle
  kListed,  // each rank on the node that a file names
  kSearched,  // where the trace's bytes travel few hops: a replay finds it (sim/experiment/placement_search.hpp)
};

struct Placement {
  Placement() = default;
  Placement(PlacementOrder an_order)
      : order(an_order) {}  // implicit: an order alone is a placement

  PlacementOrder order = PlacementOrder::kBlock;
  std::uint32_t plane = 1;       // kPlane: ranks per portion, above zero
  std::uint64_t seed = 1;        // kRandom, kSearched
  NodeOrder node_order;          // which node is the first, the next …; of all but kListed
  std::vector<NodeIndex> nodes;  // kListed: by rank
  std::string file;              // kListed: what names them, for messages
};

struct RankLocation {
  NodeIndex node = 0;
  std::uint32_t core = 0;  // within the node
  friend constexpr bool operator==(RankLocation, RankLocation) = default;
};

// "block", "cyclic", "plane:4", "random:7", "search" or "search:7", and behind "@" an order of nodes: "block@spread". Else
// InputError{WHERE, …}.
Placement parse_placement(std::string_view text, const std::string& where);

// The same, or the path of a file: one node a line, rank 0's first, by its name (Nodes::names) or its number; "NODE:N" and, as
// mpirun has it, "NODE slots=N" stand for N ranks; `#` begins a comment; a node may come again. Throws InputError naming file and line.
Placement load_placement(const std::string& text, const Platform&, const std::string& where);

// By rank; on a node the cores are taken in order. Where there are more ranks than cores, the ranks are spread over the nodes in
// proportion to their cores and share them; a file may put any number on a node. Throws InputError where the file names fewer
// places than there are ranks, and for a placement that has yet to be searched for.
std::vector<RankLocation> place_ranks(std::uint32_t ranks, const Platform&, const Placement&);

}  // namespace reprise::platforms
