// SPDX-License-Identifier: MIT
#include "platforms/routes.hpp"

#include <algorithm>
#include <limits>

#include "platforms/topologies/fat_tree_routes.hpp"
#include "platforms/topologies/single_node_routes.hpp"
#include "platforms/topologies/star_routes.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {

RouteTable::RouteTable(const Platform& platform) : node_count_(platform.nodes.count) {
  add_links(add_class("intra-node", platform.intra_node), node_count_);
}

std::uint32_t RouteTable::add_class(std::string name, const LinkSpec& spec) {
  classes_.push_back({std::move(name), spec.bandwidth, spec.latency, spec.sharing != Sharing::kUncontended});
  return static_cast<std::uint32_t>(classes_.size() - 1);
}

LinkIndex RouteTable::add_links(std::uint32_t link_class, std::uint64_t count) {
  REPRISE_ASSERT(class_of_link_.size() + count <= std::numeric_limits<LinkIndex>::max(), "links have 32-bit numbers");
  const LinkIndex first = link_count();
  class_of_link_.insert(class_of_link_.end(), count, link_class);
  return first;
}

void RouteTable::find_route(NodeIndex from, NodeIndex to, Route& into) const {
  REPRISE_ASSERT(from < node_count_ && to < node_count_, "a route is between nodes that exist");
  into.links.clear();
  if (from == to)
    into.links.push_back(from);  // link i is inside node i
  else
    append_links(from, to, into.links);
  into.latency = Seconds{};
  into.bandwidth = link(into.links.front()).bandwidth;
  for (const LinkIndex index : into.links) {
    into.latency += link(index).latency;
    into.bandwidth = std::min(into.bandwidth, link(index).bandwidth);
  }
}

std::unique_ptr<RouteTable> make_route_table(const Platform& platform) {
  if (!platform.network) return std::make_unique<SingleNodeRoutes>(platform);
  if (const auto* tree = std::get_if<FatTree>(&platform.network->topology))
    return std::make_unique<FatTreeRoutes>(platform, *tree);
  return std::make_unique<StarRoutes>(platform);
}

}  // namespace reprise::platforms
