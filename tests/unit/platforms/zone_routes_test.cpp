// SPDX-License-Identifier: MIT
// The route table and SimGrid's own routing, link for link.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <simgrid/s4u.hpp>

#include "platforms/zones/zone.hpp"
#include "tests/unit/platforms/corpus.hpp"
#include "tests/unit/platforms/simulation.hpp"

using namespace reprise;
using namespace reprise::platforms;
namespace s4u = simgrid::s4u;

namespace {

Platform tree(std::uint32_t nodes, std::vector<FatTree::Level> levels, Sharing sharing) {
  Platform platform = corpus::platform("accepted/star.json");
  platform.nodes.count = nodes;
  platform.network->link.sharing = sharing;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    levels[i].link = platform.network->link;
    levels[i].link.latency =
        Seconds{(1 + static_cast<double>(i)) * 1e-6};  // so that a wrong level shows
    levels[i].link.bandwidth = BytesPerSecond{(1 + static_cast<double>(i)) * 1e9};
  }
  platform.network->topology = FatTree{std::move(levels)};
  return platform;
}

// {pairs compared, pairs whose link lists differ, pairs whose latencies differ, links whose properties differ}
std::vector<double> compare(const Platform& platform) {
  return simulation::in_child([&]() -> std::vector<double> {
    s4u::Engine engine("test");
    configure_simgrid();
    const auto routes = make_route_table(platform);
    const Zone zone = build_zone(platform, *routes, LatencyPaidBy::kSimGrid);
    double pairs = 0, other_links = 0, other_latency = 0, other_properties = 0;
    Route route;
    for (NodeIndex from = 0; from < routes->end_count(); ++from) {
      for (NodeIndex to = 0; to < routes->end_count(); ++to) {
        std::vector<s4u::Link*> theirs, ours;
        double latency = 0;
        zone.hosts[from]->route_to(zone.hosts[to], theirs, &latency);
        routes->find_route(from, to, route);
        for (const LinkIndex link : route.links) ours.push_back(zone.links[link]);
        ++pairs;
        other_links += theirs != ours;
        other_latency += std::abs(latency - route.latency.value) > 1e-15;
      }
    }
    for (LinkIndex i = 0; i < routes->link_count(); ++i) {
      const LinkClass& link = routes->link(i);
      other_properties += zone.links[i]->get_bandwidth() != link.bandwidth.value ||
                          zone.links[i]->get_latency() != link.latency.value ||
                          zone.links[i]->is_shared() != link.is_contended;
    }
    return {pairs, other_links, other_latency, other_properties};
  });
}

// Whether SimGrid's own zone of the topology routes as the table does, up to the names of links: {pairs, pairs whose routes differ}.
std::vector<double> compare_shape(
    const Platform& platform,
    const std::function<s4u::NetZone*(const s4u::ClusterCallbacks&)>& make) {
  return simulation::in_child([&]() -> std::vector<double> {
    s4u::Engine engine("test");
    configure_simgrid();
    const auto routes = make_route_table(platform);
    std::vector<s4u::Host*> hosts(platform.nodes.count);
    s4u::NetZone* zone = make(s4u::ClusterCallbacks([&](s4u::NetZone* parent,
                                                        const std::vector<unsigned long>&,
                                                        unsigned long id) {
      hosts[id] = parent->create_host("h" + std::to_string(id), 1e9)->seal();
      return std::pair<simgrid::kernel::routing::NetPoint*, simgrid::kernel::routing::NetPoint*>(
          hosts[id]->get_netpoint(), nullptr);
    }));
    zone->seal();
    std::map<s4u::Link*, LinkIndex> ours_of;
    std::map<LinkIndex, s4u::Link*> theirs_of;
    double pairs = 0, different = 0;
    Route route;
    for (NodeIndex from = 0; from < platform.nodes.count; ++from) {
      for (NodeIndex to = 0; to < platform.nodes.count; ++to) {
        if (from == to) continue;
        std::vector<s4u::Link*> theirs;
        double latency = 0;
        hosts[from]->route_to(hosts[to], theirs, &latency);
        routes->find_route(from, to, route);
        bool same = theirs.size() == route.links.size();
        for (std::size_t i = 0; same && i < theirs.size(); ++i)
          same = ours_of.emplace(theirs[i], route.links[i]).first->second == route.links[i] &&
                 theirs_of.emplace(route.links[i], theirs[i]).first->second == theirs[i];
        ++pairs;
        different += !same;
      }
    }
    return {pairs, different};
  });
}

Platform torus(const std::vector<std::uint32_t>& sizes, Sharing sharing = Sharing::kFullDuplex) {
  Platform platform = corpus::platform("accepted/star.json");
  platform.network->link.sharing = sharing;
  Torus torus;
  for (const std::uint32_t size : sizes) torus.dimensions.push_back({size, platform.network->link});
  platform.nodes.count = static_cast<std::uint32_t>(torus.room());
  platform.network->topology = torus;
  return platform;
}

Platform dragonfly(std::uint32_t groups, std::uint32_t routers, std::uint32_t nodes,
                   std::uint32_t cables, Sharing sharing = Sharing::kFullDuplex) {
  Platform platform = corpus::platform("accepted/star.json");
  LinkSpec& link = platform.network->link;
  link.sharing = sharing;
  const Dragonfly shape{groups, routers, nodes, cables, link, link, link};
  platform.nodes.count = static_cast<std::uint32_t>(shape.room());
  platform.network->topology = shape;
  return platform;
}

using Levels = std::vector<FatTree::Level>;

}  // namespace

TEST_CASE("zone: SimGrid's routes in a star are the table's", "[physics]") {
  for (const Sharing sharing : {Sharing::kFullDuplex, Sharing::kShared, Sharing::kUncontended}) {
    Platform platform = corpus::platform("accepted/star.json");
    platform.network->link.sharing = sharing;
    CHECK(compare(platform) == std::vector<double>{16, 0, 0, 0});
  }
}

TEST_CASE("zone: a single node is built without a network", "[physics]") {
  CHECK(compare(corpus::platform("accepted/single_node.json")) == std::vector<double>{1, 0, 0, 0});
}

TEST_CASE("zone: SimGrid's routes in a fat tree are the table's", "[physics]") {
  struct Case {
    std::uint32_t nodes;
    Levels levels;
  };
  const std::vector<Case> cases{
      {4, {{4, 1, 1, {}}}},                                 // one switch
      {16, {{4, 1, 1, {}}, {4, 4, 1, {}}}},                 // as many up as down
      {16, {{4, 1, 1, {}}, {4, 2, 1, {}}}},                 // half as many up
      {27, {{3, 1, 1, {}}, {3, 3, 1, {}}, {3, 3, 1, {}}}},  // three levels
      {24, {{4, 2, 1, {}}, {3, 3, 1, {}}, {2, 5, 1, {}}}},  // nodes on two switches each
      {16, {{4, 1, 2, {}}, {4, 4, 3, {}}}},                 // parallel cables
      {24, {{2, 1, 3, {}}, {3, 2, 2, {}}, {4, 3, 4, {}}}},  // on three levels
      {5, {{4, 1, 1, {}}, {2, 2, 2, {}}}},                  // with room to spare
      {64,
       {{2, 1, 1, {}}, {2, 2, 1, {}}, {2, 1, 2, {}}, {2, 2, 2, {}}, {2, 3, 1, {}}, {2, 1, 4, {}}}},
  };
  for (const Case& one : cases) {
    for (const Sharing sharing : {Sharing::kFullDuplex, Sharing::kShared, Sharing::kUncontended}) {
      const double pairs = static_cast<double>(one.nodes) * one.nodes;
      CHECK(compare(tree(one.nodes, one.levels, sharing)) == std::vector<double>{pairs, 0, 0, 0});
    }
  }
}

TEST_CASE("zone: files of any shape are routed as SimGrid routes them", "[physics]") {
  for (const auto& [file, nodes] : std::vector<std::pair<std::string, double>>{{"floyd", 4},
                                                                               {"torus", 12},
                                                                               {"dragonfly", 16},
                                                                               {"two_clusters", 8},
                                                                               {"cabinets", 4},
                                                                               {"peers", 2},
                                                                               {"coordinates", 2},
                                                                               {"bypass", 3}}) {
    INFO(file);
    CHECK(compare(load_platform(REPRISE_CORPUS "/simgrid_files/" + file + ".xml")) ==
          std::vector<double>{nodes * nodes, 0, 0, 0});
  }
}

TEST_CASE("zone: the shipped fat tree of 648 nodes is routed alike", "[physics]") {
  CHECK(compare(load_platform(REPRISE_PLATFORMS "/machines/infiniband-edr.json")) ==
        std::vector<double>{648.0 * 648.0, 0, 0, 0});
}

TEST_CASE("zone: a torus is routed as SimGrid's own torus zone routes it", "[physics]") {
  const std::vector<std::vector<std::uint32_t>> shapes{
      {5}, {4}, {2}, {4, 3}, {2, 6}, {3, 4, 5}, {4, 4, 4}, {2, 3, 2, 4}, {2, 2, 2, 2, 2}};
  for (const auto& sizes : shapes) {
    const Platform platform = torus(sizes);
    const auto make = [&](const s4u::ClusterCallbacks& callbacks) {
      return s4u::create_torus_zone("torus", nullptr, {sizes.begin(), sizes.end()}, callbacks, 1e9,
                                    1e-6, s4u::Link::SharingPolicy::SPLITDUPLEX);
    };
    const double nodes = platform.nodes.count;
    CHECK(compare_shape(platform, make) == std::vector<double>{nodes * (nodes - 1), 0});
  }
}

TEST_CASE("zone: a dragonfly is routed as SimGrid's own dragonfly zone routes it", "[physics]") {
  // SimGrid's has one cable between groups, at the router with the other group's number.
  for (const auto& [groups, routers, nodes] :
       std::vector<std::array<unsigned, 3>>{{3, 3, 2}, {4, 6, 1}, {2, 5, 3}, {6, 6, 2}}) {
    const Platform platform = dragonfly(groups, routers, nodes, 1);
    const auto make = [&, g = groups, r = routers,
                       n = nodes](const s4u::ClusterCallbacks& callbacks) {
      return s4u::create_dragonfly_zone("dragonfly", nullptr,
                                        s4u::DragonflyParams({g, 1}, {1, 1}, {r, 1}, n), callbacks,
                                        1e9, 1e-6, s4u::Link::SharingPolicy::SPLITDUPLEX);
    };
    const double count = platform.nodes.count;
    CHECK(compare_shape(platform, make) == std::vector<double>{count * (count - 1), 0});
  }
}

TEST_CASE("zone: torus, dragonfly, sockets and network interfaces are built link for link",
          "[physics]") {
  for (const Sharing sharing : {Sharing::kFullDuplex, Sharing::kShared, Sharing::kUncontended}) {
    std::vector<Platform> platforms{torus({3, 4}, sharing), dragonfly(3, 2, 2, 3, sharing),
                                    tree(6, {{3, 1, 1, {}}, {2, 2, 1, {}}}, sharing)};
    platforms.push_back(platforms.back());
    platforms.back().nodes.sockets = 2;
    platforms.back().inter_socket = {BytesPerSecond{20e9}, Seconds{50e-9}, Sharing::kShared};
    platforms.back().network->interface =
        NetworkInterface{3, {BytesPerSecond{3e9}, Seconds{70e-9}, sharing}};
    platforms.push_back(platforms.back());
    platforms.back().network->interface->use = InterfaceUse::kStriped;
    for (const Platform& platform : platforms) {
      const double ends = platform.nodes.count * platform.ends_per_node();
      CHECK(compare(platform) == std::vector<double>{ends * ends, 0, 0, 0});
    }
  }
}
