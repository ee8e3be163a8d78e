// SPDX-License-Identifier: MIT
#include "sim/experiment/placement_search.hpp"

#include "platforms/placement_search.hpp"
#include "sim/engine/observe/observation.hpp"
#include "sim/engine/replay.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {

TrafficPairs count_traffic(const trace_io::Trace& trace, const platforms::Platform& platform,
                           const platforms::Placement& placement) {
  Observation observation({.pairs = true});
  ReplaySettings settings;
  settings.placement = placement;
  settings.network = NetworkKind::uncontended;
  settings.deltas = Deltas::mean;
  settings.wildcards = Wildcards::recorded;
  settings.observation = &observation;
  replay(trace, platform, settings);
  return observation.pairs();
}

SearchedPlacement search_placement(const trace_io::Trace& trace,
                                   const platforms::Platform& platform,
                                   const platforms::Placement& wanted) {
  platforms::Placement block = platforms::PlacementOrder::kBlock,
                       cyclic = platforms::PlacementOrder::kCyclic;
  block.node_order = cyclic.node_order = wanted.node_order;
  const TrafficPairs pairs = count_traffic(trace, platform, block);
  platforms::RankTraffic traffic(static_cast<std::size_t>(pairs.ranks()));
  for (std::int32_t from = 0; from < pairs.ranks(); ++from)
    for (const auto& cell : pairs.row(from))
      traffic[static_cast<std::size_t>(from)].push_back(
          {static_cast<std::uint32_t>(cell.to), cell.bytes});
  const auto ranks = static_cast<std::uint32_t>(traffic.size());
  const auto cost = [&](const platforms::Placement& placement) {
    return platforms::hop_bytes(traffic, platform,
                                platforms::place_ranks(ranks, platform, placement));
  };
  SearchedPlacement result;
  result.is_searched = wanted.order == platforms::PlacementOrder::kSearched;
  if (result.is_searched) {
    result.placement =
        platforms::search_placement(traffic, platform, wanted.seed, wanted.node_order);
  } else {
    result.placement = wanted;
    result.placement.order = platforms::PlacementOrder::kListed;
    result.placement.nodes.clear();
    for (const auto& place : platforms::place_ranks(ranks, platform, wanted))
      result.placement.nodes.push_back(place.node);
  }
  result.found = cost(result.placement);
  result.block = cost(block);
  result.cyclic = cost(cyclic);
  return result;
}

std::string SearchedPlacement::hop_bytes() const {
  const std::string nodes = platforms::suffix_of(placement.node_order);
  return formatted("%s %.6g, block%s %.6g, cyclic%s %.6g", is_searched ? "found" : "here", found,
                   nodes.c_str(), block, nodes.c_str(), cyclic);
}

}  // namespace reprise::sim
