// SPDX-License-Identifier: MIT
// All nodes on one crossbar: a route is the sender's link up and the receiver's link down, with the backbone in between where
// there is one: a single link that all messages between nodes cross.
#pragma once

#include <optional>

#include "platforms/topologies/topology.hpp"

namespace reprise::platforms {

struct Star {
  static constexpr std::string_view kKind = "star", kNoun = "star", kRoomPlace = "", kRoom = "";

  std::optional<LinkSpec> backbone;

  static std::span<const std::string_view> keys();
  static Star read(TopologyReader&);
  double room() const;
  std::vector<NodeIndex> group_sizes() const;  // none
  std::vector<Cable> cables(LinkSpec& network_link, NodeIndex nodes);
  std::unique_ptr<TopologyRoutes> routes(const CableLinks&, NodeIndex nodes) const;
  std::string description() const;
  bool operator==(const Star&) const = default;
};

}  // namespace reprise::platforms
