// SPDX-License-Identifier: MIT
#include "platforms/routes.hpp"

#include <algorithm>
#include <limits>

#include "trace-io/base/error.hpp"

namespace reprise::platforms {

namespace {

// Sockets and interfaces divide the cores in blocks: an end begins where one of either does.
std::vector<RouteTable::End> ends_of(std::uint32_t sockets, std::uint32_t interfaces) {
  std::vector<RouteTable::End> ends;
  for (RouteTable::End end; end.socket < sockets;) {
    ends.push_back(end);
    const std::uint32_t socket_ends = (end.socket + 1) * interfaces,
                        interface_ends = (end.interface + 1) * sockets;
    if (socket_ends <= interface_ends) ++end.socket;
    if (interface_ends <= socket_ends) ++end.interface;
  }
  return ends;
}

}  // namespace

RouteTable::RouteTable(const Platform& platform)
    : node_count_(platform.nodes.count), sockets_(platform.nodes.sockets) {
  REPRISE_ASSERT(platform.network || node_count_ == 1, "only a single node needs no network");
  if (const LatencyWeights* weights = platform.latency_weights();
      weights != nullptr && weights->tcp_gamma)
    tcp_gamma_ = static_cast<double>(weights->tcp_gamma->value);
  Platform copy = platform;  // cables point into a platform that they may change
  const auto inside = node_links(copy);
  add_cables(inside[0], false);
  if (inside.size() > 1) between_sockets_ = add_cables(inside[1], false);
  if (platform.intra_node_per_receiver) {
    receiver_bound_ =
        add_links(add_class(inside[0].name + " receiver", inside[0].name,
                            {*platform.intra_node_per_receiver, Seconds{}, Sharing::kUncontended}),
                  1);
  }
  if (platform.network && platform.network->interface) {
    interfaces_ = platform.network->interface->separate();
    copy.network->interface->link.bandwidth = platform.network->interface->bandwidth();
  }
  ends_ = ends_of(sockets_, std::max(1U, interfaces_));
  REPRISE_ASSERT(ends_per_node() == platform.ends_per_node(), "ends are those of the cores");
  if (!platform.network) return;
  const bool is_duplex = platform.network->link.sharing == Sharing::kFullDuplex;
  cables_.per_cable = is_duplex ? 2 : 1;
  for (const Cable& cable : network_links(copy)) {
    if (cable.name.empty()) continue;  // only where cables take their figures from
    if (copy.network->interface && cable.link == &copy.network->interface->link) {
      const bool both_ways = cable.link->sharing == Sharing::kFullDuplex;
      links_per_interface_ = both_ways ? 2 : 1;
      first_interface_ = add_cables(cable, both_ways);
    } else {
      cables_.first.push_back(add_cables(cable, is_duplex));
    }
  }
  topology_ = std::visit([&](const auto& one) { return one.routes(cables_, node_count_); },
                         platform.network->topology);
}

std::uint32_t RouteTable::add_class(std::string name, std::string cable, const LinkSpec& spec) {
  classes_.push_back({std::move(name), std::move(cable), spec.bandwidth, spec.latency,
                      spec.sharing != Sharing::kUncontended});
  return static_cast<std::uint32_t>(classes_.size() - 1);
}

LinkIndex RouteTable::add_cables(const Cable& cable, bool is_duplex) {
  const auto count = static_cast<std::uint64_t>(cable.count);
  const auto [there, back] = cable.directions;
  if (!is_duplex || there == nullptr)
    return add_links(add_class(cable.link_class, cable.name, *cable.link), count);
  const std::uint32_t out = add_class(cable.link_class + there, cable.name, *cable.link),
                      in = add_class(cable.link_class + back, cable.name, *cable.link);
  const LinkIndex first = link_count();
  REPRISE_ASSERT(first + 2 * count <= std::numeric_limits<LinkIndex>::max(),
                 "links have 32-bit numbers");
  class_of_link_.reserve(first + 2 * count);
  for (std::uint64_t i = 0; i < count; ++i) {
    class_of_link_.push_back(out);
    class_of_link_.push_back(in);
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

std::optional<RouteTable::Interface> RouteTable::interface_of(LinkIndex link) const {
  if (interfaces_ == 0 || link < first_interface_) return std::nullopt;
  const LinkIndex number = (link - first_interface_) / links_per_interface_;
  if (number / interfaces_ >= node_count_) return std::nullopt;
  return Interface{number / interfaces_, number % interfaces_};
}

void RouteTable::find_route(NodeIndex from, NodeIndex to, Route& into) const {
  REPRISE_ASSERT(from < end_count() && to < end_count(), "a route is between ends that exist");
  into.links.clear();
  const std::uint32_t ends = ends_per_node();
  const NodeIndex from_node = from / ends, to_node = to / ends;
  const End &out = ends_[from - from_node * ends], &in = ends_[to - to_node * ends];
  const bool is_inside = from_node == to_node && !(topology_ && topology_->is_inside(from_node));
  if (is_inside) {
    const LinkIndex first = from_node * sockets_;  // link i is inside socket i
    if (out.socket == in.socket)
      into.links.push_back(first + out.socket);
    else
      into.links.assign({first + out.socket, between_sockets_ + from_node, first + in.socket});
  } else {
    const auto interface = [&](NodeIndex node, const End& end) {
      return first_interface_ + (node * interfaces_ + end.interface) * links_per_interface_;
    };
    if (interfaces_ > 0) into.links.push_back(interface(from_node, out));
    topology_->append_links(from_node, to_node, into.links);
    if (interfaces_ > 0) into.links.push_back(interface(to_node, in) + links_per_interface_ - 1);
  }
  if (receiver_bound_ && is_inside) into.links.push_back(*receiver_bound_);
  into.latency =
      !is_inside && adds_latency() ? topology_->more_latency(from_node, to_node) : Seconds{};
  into.bandwidth = link(into.links.front()).bandwidth;
  for (const LinkIndex index : into.links) {
    into.latency += link(index).latency;
    into.bandwidth = std::min(into.bandwidth, link(index).bandwidth);
  }
  // SimGrid bounds nothing on a route without links, which coordinates make: such a one is as wide as this.
  constexpr double kUnbounded = 1e18;
  if (into.latency.value > 0 && into.bandwidth.value < kUnbounded)
    into.bandwidth = std::min(into.bandwidth, {tcp_gamma_ / (2 * into.latency.value)});
}

std::unique_ptr<RouteTable> make_route_table(const Platform& platform) {
  return std::make_unique<RouteTable>(platform);
}

}  // namespace reprise::platforms
