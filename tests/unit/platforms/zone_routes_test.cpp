// SPDX-License-Identifier: MIT
// The route table and SimGrid's own routing, link for link.
#include <catch2/catch.hpp>
#include <cmath>
#include <simgrid/s4u.hpp>

#include "platforms/zones/settings.hpp"
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
    levels[i].link.latency = Seconds{(1 + static_cast<double>(i)) * 1e-6};  // so that a wrong level shows
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
    for (NodeIndex from = 0; from < platform.nodes.count; ++from) {
      for (NodeIndex to = 0; to < platform.nodes.count; ++to) {
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
      {4, {{4, 1, 1, {}}}},                                                      // one switch
      {16, {{4, 1, 1, {}}, {4, 4, 1, {}}}},                                      // as many up as down
      {16, {{4, 1, 1, {}}, {4, 2, 1, {}}}},                                      // half as many up
      {27, {{3, 1, 1, {}}, {3, 3, 1, {}}, {3, 3, 1, {}}}},                       // three levels
      {24, {{4, 2, 1, {}}, {3, 3, 1, {}}, {2, 5, 1, {}}}},                       // nodes on two switches each
      {16, {{4, 1, 2, {}}, {4, 4, 3, {}}}},                                      // parallel cables
      {24, {{2, 1, 3, {}}, {3, 2, 2, {}}, {4, 3, 4, {}}}},                       // on three levels
      {5, {{4, 1, 1, {}}, {2, 2, 2, {}}}},                                       // with room to spare
      {64, {{2, 1, 1, {}}, {2, 2, 1, {}}, {2, 1, 2, {}}, {2, 2, 2, {}}, {2, 3, 1, {}}, {2, 1, 4, {}}}},
  };
  for (const Case& one : cases) {
    for (const Sharing sharing : {Sharing::kFullDuplex, Sharing::kShared, Sharing::kUncontended}) {
      const double pairs = static_cast<double>(one.nodes) * one.nodes;
      CHECK(compare(tree(one.nodes, one.levels, sharing)) == std::vector<double>{pairs, 0, 0, 0});
    }
  }
}

TEST_CASE("zone: the shipped fat tree of 648 nodes is routed alike", "[physics]") {
  CHECK(compare(load_platform(REPRISE_PLATFORMS "/machines/infiniband-edr.json")) ==
        std::vector<double>{648.0 * 648.0, 0, 0, 0});
}
