// SPDX-License-Identifier: MIT
// The zones that SimGrid has of its own: a star, of which a single node is one, and a fat tree.
#include <algorithm>
#include <charconv>
#include <limits>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Host.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "platforms/zones/parts.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

namespace s4u = simgrid::s4u;

// SimGrid makes the cables itself and names them "link_from_CHILD_PARENT_N", with "_UP" or "_DOWN" behind where full
// duplex. N counts in the order in which a fat tree's cables are numbered. What a name says here: N, and whether it is a down.
struct CableName {
  std::uint64_t number;
  bool is_down;
};

CableName parse_cable_name(std::string_view name) {
  const bool is_down = name.ends_with("_DOWN");
  if (is_down) name.remove_suffix(5);
  if (name.ends_with("_UP")) name.remove_suffix(3);
  name.remove_prefix(name.rfind('_') + 1);
  CableName cable{0, is_down};
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), cable.number);
  REPRISE_ASSERT(error == std::errc{} && end == name.data() + name.size(),
                 "a cable's name ends in its number");
  return cable;
}

// The cables in the order of the route table, with each level's own bandwidth and latency.
void append_cables(Zone& zone, const ZoneParts& parts) {
  const RouteTable& routes = parts.routes();
  const LinkIndex per_cable = routes.cables().per_cable, first = routes.cables().first.front();
  std::vector<std::pair<CableName, s4u::Link*>> cables;
  std::uint64_t first_number =
      std::numeric_limits<std::uint64_t>::max();  // SimGrid counts on over several zones
  for (s4u::Link* link : s4u::Engine::get_instance()->get_all_links()) {
    if (!link->get_name().starts_with("link_from_")) continue;
    cables.emplace_back(parse_cable_name(link->get_name()), link);
    first_number = std::min(first_number, cables.back().first.number);
  }
  REPRISE_ASSERT(cables.size() == routes.link_count() - first, "SimGrid makes the cables we count");
  zone.links.resize(first + cables.size());
  for (const auto& [name, link] : cables) {
    const auto index = static_cast<LinkIndex>(first + (name.number - first_number) * per_cable +
                                              (name.is_down ? 1 : 0));
    const LinkClass& spec = routes.link(index);
    if (link->get_bandwidth() != spec.bandwidth.value) link->set_bandwidth(spec.bandwidth.value);
    if (link->get_latency() != parts.simgrid_latency(spec))
      link->set_latency(parts.simgrid_latency(spec));
    if (!spec.is_contended)
      link->set_sharing_policy(ZoneParts::simgrid_policy(spec));  // the zone leaves it SHARED
    zone.links[index] = link;
  }
}

s4u::Link::SharingPolicy cable_policy(Sharing sharing) {
  switch (sharing) {
    case Sharing::kShared:
      return s4u::Link::SharingPolicy::SHARED;
    case Sharing::kFullDuplex:
      return s4u::Link::SharingPolicy::SPLITDUPLEX;
    case Sharing::kUncontended:
      return s4u::Link::SharingPolicy::FATPIPE;
  }
  return s4u::Link::SharingPolicy::SPLITDUPLEX;
}

}  // namespace

Zone build_zone_of(const ZoneParts& parts, const FatTree& tree) {
  const RouteTable& routes = parts.routes();
  const Network& network = *parts.platform().network;
  std::vector<unsigned int> down, up, parallel;
  for (const FatTree::Level& level : tree.levels) {
    down.push_back(level.down);
    up.push_back(level.up);
    parallel.push_back(level.parallel);
  }
  Zone zone;
  zone.hosts.resize(routes.node_count());
  zone.links.resize(routes.node_count());
  const auto make_leaf = [&](s4u::NetZone* parent, const std::vector<unsigned long>&,
                             unsigned long leaf) {
    s4u::Host* host = parts.make_host(*parent, static_cast<NodeIndex>(leaf));
    if (leaf < zone.hosts.size()) zone.hosts[leaf] = host;
    return std::pair<simgrid::kernel::routing::NetPoint*, simgrid::kernel::routing::NetPoint*>(
        host->get_netpoint(), nullptr);
  };
  // A leaf beyond the nodes needs a path of its own too; it is like the others and has no number.
  const auto make_loopback = [&](s4u::NetZone* parent, const std::vector<unsigned long>&,
                                 unsigned long leaf) {
    if (leaf >= routes.node_count()) {
      return parent
          ->create_link("unused leaf " + std::to_string(leaf),
                        parts.routes().link(0).bandwidth.value)
          ->seal();
    }
    return zone.links[leaf] = parts.make_link(*parent, static_cast<LinkIndex>(leaf));
  };
  const auto levels = static_cast<unsigned int>(down.size());
  // Bandwidth and latency here are the network's; levels with their own are set right by append_cables.
  zone.root = s4u::create_fatTree_zone(
      "machine", nullptr, s4u::FatTreeParams(levels, down, up, parallel),
      s4u::ClusterCallbacks(make_leaf, make_loopback, {}), network.link.bandwidth.value,
      parts.simgrid_latency({"", "", {}, network.link.latency, true}),
      cable_policy(network.link.sharing));
  append_cables(zone, parts);
  return zone;
}

namespace {

// Each node with its own path; the caller adds the routes between them.
Zone build_nodes(const ZoneParts& parts) {
  Zone zone;
  zone.root = s4u::create_star_zone("machine");
  for (LinkIndex link = 0; link < parts.routes().link_count(); ++link)
    zone.links.push_back(parts.make_link(*zone.root, link));
  for (NodeIndex node = 0; node < parts.routes().node_count(); ++node) {
    zone.hosts.push_back(parts.make_host(*zone.root, node));
    auto* point = zone.hosts.back()->get_netpoint();
    zone.root->add_route(point, point, nullptr, nullptr, {s4u::LinkInRoute(zone.links[node])},
                         false);
  }
  return zone;
}

}  // namespace

Zone build_node_zone(const ZoneParts& parts) { return build_nodes(parts); }

Zone build_zone_of(const ZoneParts& parts, const Star&) {
  Zone zone = build_nodes(parts);
  const CableLinks& cables = parts.routes().cables();
  for (NodeIndex node = 0; node < parts.routes().node_count(); ++node) {
    auto* point = zone.hosts[node]->get_netpoint();
    std::vector<s4u::LinkInRoute> out{s4u::LinkInRoute(zone.links[cables.up(0, node)])};
    if (cables.first.size() > 1) out.emplace_back(zone.links[cables.first[1]]);  // the backbone
    zone.root->add_route(point, nullptr, nullptr, nullptr, out, false);
    zone.root->add_route(nullptr, point, nullptr, nullptr,
                         {s4u::LinkInRoute(zone.links[cables.down(0, node)])}, false);
  }
  return zone;
}

}  // namespace reprise::platforms
