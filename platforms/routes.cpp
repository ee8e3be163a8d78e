// SPDX-License-Identifier: MIT
#include "platforms/routes.hpp"

#include <algorithm>
#include <limits>

#include "platforms/topologies/dragonfly_routes.hpp"
#include "platforms/topologies/fat_tree_routes.hpp"
#include "platforms/topologies/single_node_routes.hpp"
#include "platforms/topologies/star_routes.hpp"
#include "platforms/topologies/torus_routes.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {

RouteTable::RouteTable(const Platform& platform)
    : node_count_(platform.nodes.count), sockets_(platform.nodes.sockets) {
  add_links(add_class("intra-node", "intra-node", platform.intra_node), end_count());
  if (sockets_ > 1)
    between_sockets_ =
        add_links(add_class("inter-socket", "inter-socket", platform.inter_socket), node_count_);
  if (platform.intra_node_per_receiver) {
    receiver_bound_ =
        add_links(add_class("intra-node receiver", "intra-node",
                            {*platform.intra_node_per_receiver, Seconds{}, Sharing::kUncontended}),
                  1);
  }
  if (platform.network && platform.network->interface) {
    const NetworkInterface& interface = *platform.network->interface;
    const bool full_duplex = interface.link.sharing == Sharing::kFullDuplex;
    interfaces_ = interface.count;
    links_per_interface_ = full_duplex ? 2 : 1;
    first_interface_ =
        add_cables("interface", "interface", interface.link,
                   std::uint64_t{node_count_} * interfaces_, full_duplex, " out", " in");
  }
}

std::uint32_t RouteTable::add_class(std::string name, std::string cable, const LinkSpec& spec) {
  classes_.push_back({std::move(name), std::move(cable), spec.bandwidth, spec.latency,
                      spec.sharing != Sharing::kUncontended});
  return static_cast<std::uint32_t>(classes_.size() - 1);
}

LinkIndex RouteTable::add_cables(const std::string& name, const std::string& cable,
                                 const LinkSpec& spec, std::uint64_t count, bool full_duplex,
                                 const char* one, const char* other) {
  if (!full_duplex) return add_links(add_class(name, cable, spec), count);
  const std::uint32_t there = add_class(name + one, cable, spec),
                      back = add_class(name + other, cable, spec);
  const LinkIndex first = link_count();
  REPRISE_ASSERT(first + 2 * count <= std::numeric_limits<LinkIndex>::max(),
                 "links have 32-bit numbers");
  class_of_link_.reserve(first + 2 * count);
  for (std::uint64_t i = 0; i < count; ++i) {
    class_of_link_.push_back(there);
    class_of_link_.push_back(back);
  }
  return first;
}

LinkIndex RouteTable::add_links(std::uint32_t link_class, std::uint64_t count) {
  REPRISE_ASSERT(class_of_link_.size() + count <= std::numeric_limits<LinkIndex>::max(),
                 "links have 32-bit numbers");
  const LinkIndex first = link_count();
  class_of_link_.insert(class_of_link_.end(), count, link_class);
  return first;
}

void RouteTable::find_route(NodeIndex from, NodeIndex to, Route& into) const {
  REPRISE_ASSERT(from < end_count() && to < end_count(), "a route is between sockets that exist");
  into.links.clear();
  const NodeIndex from_node = from / sockets_, to_node = to / sockets_;
  if (from == to) {
    into.links.push_back(from);  // link i is inside socket i
  } else if (from_node == to_node) {
    into.links.assign({from, between_sockets_ + from_node, to});
  } else {
    const std::uint32_t rail = interfaces_ > 1 ? (from_node + to_node) % interfaces_ : 0;
    const auto interface = [&](NodeIndex node) {
      return first_interface_ + (node * interfaces_ + rail) * links_per_interface_;
    };
    if (interfaces_ > 0) into.links.push_back(interface(from_node));
    append_links(from_node, to_node, into.links);
    if (interfaces_ > 0) into.links.push_back(interface(to_node) + links_per_interface_ - 1);
  }
  if (receiver_bound_ && from_node == to_node) into.links.push_back(*receiver_bound_);
  into.latency = Seconds{};
  into.bandwidth = link(into.links.front()).bandwidth;
  for (const LinkIndex index : into.links) {
    into.latency += link(index).latency;
    into.bandwidth = std::min(into.bandwidth, link(index).bandwidth);
  }
}

std::unique_ptr<RouteTable> make_route_table(const Platform& platform) {
  if (!platform.network) return std::make_unique<SingleNodeRoutes>(platform);
  const auto& topology = platform.network->topology;
  if (const auto* tree = std::get_if<FatTree>(&topology))
    return std::make_unique<FatTreeRoutes>(platform, *tree);
  if (const auto* torus = std::get_if<Torus>(&topology))
    return std::make_unique<TorusRoutes>(platform, *torus);
  if (const auto* dragonfly = std::get_if<Dragonfly>(&topology))
    return std::make_unique<DragonflyRoutes>(platform, *dragonfly);
  return std::make_unique<StarRoutes>(platform);
}

}  // namespace reprise::platforms
