// SPDX-License-Identifier: MIT
#include "platforms/topologies/dragonfly_routes.hpp"

#include <algorithm>

namespace reprise::platforms {
namespace {

// The place of {low, high} among the pairs below N, ordered by the higher one. REQUIRES: low < high.
std::uint32_t pair_number(std::uint32_t low, std::uint32_t high) {
  return high * (high - 1) / 2 + low;
}

}  // namespace

DragonflyRoutes::DragonflyRoutes(const Platform& platform, const Dragonfly& dragonfly)
    : RouteTable(platform),
      groups_(dragonfly.groups),
      routers_(dragonfly.routers),
      nodes_(dragonfly.nodes),
      cables_(dragonfly.global_cables),
      ports_((groups_ * cables_ + routers_ - 1) / routers_),
      links_per_cable_(platform.network->link.sharing == Sharing::kFullDuplex ? 2 : 1) {
  const bool full_duplex = links_per_cable_ == 2;
  const std::uint64_t groups = groups_, routers = routers_;
  node_links_ =
      add_cables("node", "node", dragonfly.node_link, dragonfly.position_count(), full_duplex);
  local_links_ = add_cables("local", "local", dragonfly.local_link,
                            groups * (routers * (routers - 1) / 2), full_duplex);
  global_links_ = add_cables("global", "global", dragonfly.global_link,
                             groups * (groups - 1) / 2 * cables_, full_duplex);
}

void DragonflyRoutes::append_local(std::uint32_t group, std::uint32_t from_router,
                                   std::uint32_t to_router, std::vector<LinkIndex>& links) const {
  if (from_router == to_router) return;
  const auto [low, high] = std::minmax(from_router, to_router);
  const std::uint32_t cable = group * (routers_ * (routers_ - 1) / 2) + pair_number(low, high);
  links.push_back(local_links_ + cable * links_per_cable_ +
                  (from_router < to_router ? 0 : links_per_cable_ - 1));
}

void DragonflyRoutes::append_links(NodeIndex from, NodeIndex to,
                                   std::vector<LinkIndex>& links) const {
  const std::uint32_t from_router = from / nodes_, to_router = to / nodes_;
  const std::uint32_t from_group = from_router / routers_, to_group = to_router / routers_;
  links.push_back(node_links_ + from * links_per_cable_);
  std::uint32_t at = from_router % routers_;
  if (from_group != to_group) {
    const std::uint32_t cable = to % cables_;
    append_local(from_group, at, (to_group * cables_ + cable) / ports_, links);
    const auto [low, high] = std::minmax(from_group, to_group);
    const std::uint32_t number = pair_number(low, high) * cables_ + cable;
    links.push_back(global_links_ + number * links_per_cable_ +
                    (from_group < to_group ? 0 : links_per_cable_ - 1));
    at = (from_group * cables_ + cable) / ports_;
  }
  append_local(to_group, at, to_router % routers_, links);
  links.push_back(node_links_ + to * links_per_cable_ + links_per_cable_ - 1);
}

}  // namespace reprise::platforms
