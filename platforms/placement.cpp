// SPDX-License-Identifier: MIT
#include "platforms/placement.hpp"

#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"

namespace reprise::platforms {
namespace {

std::string counted(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

}  // namespace

PlacementOrder parse_placement_order(std::string_view text, const std::string& where) {
  if (text == "block") return PlacementOrder::kBlock;
  if (text == "cyclic") return PlacementOrder::kCyclic;
  const auto nearest = nearest_word(text, {"block", "cyclic"});
  throw InputError(where, "unknown placement \"" + std::string(text) + '"',
                   nearest ? "did you mean \"" + *nearest + "\"?" : "one of: block, cyclic");
}

std::vector<RankLocation> place_ranks(std::uint32_t ranks, const Platform& platform, PlacementOrder order) {
  const std::uint64_t nodes = platform.nodes.count, cores = platform.nodes.cores;
  if (ranks > nodes * cores) {
    const std::uint64_t nodes_needed = (ranks + cores - 1) / cores, cores_needed = (ranks + nodes - 1) / nodes;
    // More nodes need a network; without one only the node itself can grow.
    const std::string nodes_hint =
        platform.network ? "--set /nodes/count=" + std::to_string(nodes_needed) + " or " : "";
    throw InputError(platform.file,
                     counted(ranks, "rank") + " need as many cores, but " + counted(nodes, "node") + " of " +
                         counted(cores, "core") + (nodes == 1 ? " has " : " have ") + std::to_string(nodes * cores),
                     "make the machine larger with " + nodes_hint + "--set /nodes/cores=" +
                         std::to_string(cores_needed));
  }
  std::vector<RankLocation> locations;
  locations.reserve(ranks);
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    const bool is_block = order == PlacementOrder::kBlock;
    locations.push_back({static_cast<NodeIndex>(is_block ? rank / cores : rank % nodes),
                         static_cast<std::uint32_t>(is_block ? rank % cores : rank / nodes)});
  }
  return locations;
}

}  // namespace reprise::platforms
