// SPDX-License-Identifier: MIT
#include "platforms/placement.hpp"

#include <algorithm>

#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"

namespace reprise::platforms {
namespace {

std::string counted(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

std::vector<RankLocation> places_of(std::uint32_t ranks, const Platform& platform, const Placement& placement) {
  if (placement.nodes.size() < ranks)
    throw InputError(placement.file, "names places for " + counted(placement.nodes.size(), "rank") + ", but there are " + std::to_string(ranks));
  std::vector<RankLocation> locations;
  std::vector<std::uint32_t> taken(platform.nodes.count, 0);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const NodeIndex node = placement.nodes[rank];
    locations.push_back({node, taken[node]++ % platform.nodes.cores});
  }
  return locations;
}

}  // namespace

PlacementOrder parse_placement_order(std::string_view text, const std::string& where) {
  if (text == "block") return PlacementOrder::kBlock;
  if (text == "cyclic") return PlacementOrder::kCyclic;
  const auto nearest = nearest_word(text, {"block", "cyclic"});
  throw InputError(where, "unknown placement \"" + std::string(text) + '"',
                   nearest ? "did you mean \"" + *nearest + "\"?" : "one of: block, cyclic");
}

std::vector<RankLocation> place_ranks(std::uint32_t ranks, const Platform& platform, const Placement& placement) {
  if (!placement.nodes.empty()) return places_of(ranks, platform, placement);
  const PlacementOrder order = placement.order;
  const std::uint64_t nodes = platform.nodes.count, cores = platform.nodes.cores;
  const std::uint64_t per_node = std::max(cores, (ranks + nodes - 1) / nodes);
  std::vector<RankLocation> locations;
  locations.reserve(ranks);
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    const bool is_block = order == PlacementOrder::kBlock;
    locations.push_back({static_cast<NodeIndex>(is_block ? rank / per_node : rank % nodes),
                         static_cast<std::uint32_t>((is_block ? rank % per_node : rank / nodes) % cores)});
  }
  return locations;
}

}  // namespace reprise::platforms
