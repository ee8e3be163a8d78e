// SPDX-License-Identifier: MIT
#include "platforms/link_name.hpp"

#include <optional>

namespace reprise::platforms {
namespace {

// Whether it is among the links that come before the topology's, or the topology's first.
template <class Iterator>
bool is_at_end(const RouteTable& routes, LinkIndex link, Iterator first, Iterator last) {
  for (; first != last; ++first) {
    if (*first == link) return true;
    if (routes.link(*first).cable != "interface") return false;
  }
  return false;
}

// The one node whose messages begin or end with it.
std::optional<NodeIndex> node_of(const RouteTable& routes, LinkIndex link) {
  const NodeIndex nodes = routes.node_count(), ends = routes.ends_per_node();
  if (link < nodes * routes.sockets_per_node()) return link / routes.sockets_per_node();
  if (const auto interface = routes.interface_of(link)) return interface->node;
  std::optional<NodeIndex> found;
  Route out, in;
  for (NodeIndex node = 0; node < nodes && nodes > 1; ++node) {
    const NodeIndex own = node * ends, other = (node + 1) % nodes * ends;
    routes.find_route(own, other, out);
    routes.find_route(other, own, in);
    if (!is_at_end(routes, link, out.links.begin(), out.links.end()) &&
        !is_at_end(routes, link, in.links.rbegin(), in.links.rend()))
      continue;
    if (found) return std::nullopt;
    found = node;
  }
  return found;
}

}  // namespace

std::string name_on_route(const RouteTable& routes, LinkIndex link) {
  const LinkClass& of = routes.link(link);
  const auto interface = routes.interface_of(link);
  if (!interface || routes.interfaces_per_node() == 1) return of.name;
  return of.cable + ' ' + std::to_string(interface->number) + of.name.substr(of.cable.size());
}

std::string link_name(const RouteTable& routes, LinkIndex link) {
  if (const auto node = node_of(routes, link)) {
    const auto interface = routes.interface_of(link);
    return "node " + std::to_string(*node) +
           (interface && routes.interfaces_per_node() > 1
                ? ", interface " + std::to_string(interface->number)
                : "");
  }
  LinkIndex number = 0;
  for (LinkIndex before = 0; before < link; ++before)
    if (routes.link_class_index(before) == routes.link_class_index(link)) ++number;
  return "number " + std::to_string(number);
}

}  // namespace reprise::platforms
