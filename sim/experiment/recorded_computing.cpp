// SPDX-License-Identifier: MIT
#include "sim/experiment/recorded_computing.hpp"

#include <algorithm>
#include <map>

#include "sim/text/numbers.hpp"

namespace reprise::sim {

std::optional<NodeSharing> node_sharing(const trace_io::Header& header, const Prepared& prepared,
                                        const Outcome& outcome) {
  if (header.hosts.empty() || outcome.used.places.empty()) return std::nullopt;
  NodeSharing sharing{0, 0};
  for (const auto& host : header.hosts) {
    const auto ranks = static_cast<std::uint32_t>(host.ranks.size());
    sharing.recorded =
        std::max(sharing.recorded, host.cores > 0 ? std::min(ranks, host.cores) : ranks);
  }
  std::map<platforms::NodeIndex, std::uint32_t> ranks_on;
  for (const auto& place : outcome.used.places) ++ranks_on[place.node];
  for (const auto& [node, ranks] : ranks_on)
    sharing.replayed =
        std::max(sharing.replayed, std::min(ranks, prepared.platform.nodes.cores_of(node)));
  if (sharing.recorded == 0) return std::nullopt;
  return sharing;
}

bool NodeSharing::is_other() const {
  const auto [less, more] = std::minmax(recorded, replayed);
  return more >= kFewestSharing && more >= kOtherSharing * less;
}

std::string describe(const NodeSharing& sharing) {
  const std::string ranks = "up to " + counted(sharing.replayed, "rank") +
                            (sharing.replayed == 1 ? " computes" : " compute") +
                            " on a node at the same time, " + std::to_string(sharing.recorded) +
                            " when recorded: ";
  return ranks +
         (sharing.replayed > sharing.recorded
              ? "that they share its caches and memory bandwidth is not included, so computing "
                "may take longer (--memory-traffic includes the bandwidth; trace memory "
                "estimates the traffic from two recordings)"
              : "recorded times hold that ranks shared its caches and memory bandwidth, so "
                "computing may take less time");
}

bool computes_as_recorded(const Prepared& prepared, const Outcome& outcome) {
  const ReplaySettings& settings = prepared.settings;
  return settings.compute.empty() && settings.conditions.nodes.empty() &&
         settings.compute_scale == 1 &&
         std::ranges::all_of(outcome.used.places, [&](const auto& place) {
           return prepared.platform.nodes.relative_speed_of(place.node) == 1;
         });
}

}  // namespace reprise::sim
