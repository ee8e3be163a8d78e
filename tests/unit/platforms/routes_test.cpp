// SPDX-License-Identifier: MIT
#include "platforms/routes.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "tests/unit/platforms/corpus.hpp"

using namespace reprise;
using namespace reprise::platforms;

namespace {

Platform tree(std::uint32_t nodes, std::vector<FatTree::Level> levels,
              Sharing sharing = Sharing::kFullDuplex) {
  Platform platform = corpus::platform("accepted/star.json");
  platform.nodes.count = nodes;
  platform.network->link.sharing = sharing;
  for (FatTree::Level& level : levels) level.link = platform.network->link;
  platform.network->topology = FatTree{std::move(levels)};
  return platform;
}

Route route(const RouteTable& routes, NodeIndex from, NodeIndex to) {
  Route found;
  routes.find_route(from, to, found);
  return found;
}

std::string class_names(const RouteTable& routes, const Route& route) {
  std::string names;
  for (const LinkIndex link : route.links)
    names += (names.empty() ? "" : ", ") + routes.link(link).name;
  return names;
}

}  // namespace

TEST_CASE("routes: a node reaches itself over its own path", "[platforms]") {
  const auto routes = make_route_table(corpus::platform("accepted/star.json"));
  const Route own = route(*routes, 2, 2);
  CHECK(own.links == std::vector<LinkIndex>{2});
  CHECK(own.latency == Seconds{0.2e-6});
  CHECK(own.bandwidth == BytesPerSecond{10e9});
  CHECK(routes->link(2).name == "intra-node");
}

TEST_CASE("routes: a single node has its own path and nothing else", "[platforms]") {
  const auto routes = make_route_table(corpus::platform("accepted/single_node.json"));
  CHECK(routes->link_count() == 1);
  CHECK(route(*routes, 0, 0).links == std::vector<LinkIndex>{0});
}

TEST_CASE("routes: a star's route is the sender's link up and the receiver's link down",
          "[platforms]") {
  const auto routes = make_route_table(corpus::platform("accepted/star.json"));
  CHECK(routes->link_count() == 4 + 8);
  const Route there = route(*routes, 1, 3);
  CHECK(class_names(*routes, there) == "node up, node down");
  CHECK(there.latency == Seconds{1.2e-6});
  CHECK(there.bandwidth == BytesPerSecond{12.5e9});
  CHECK(there.links[0] == route(*routes, 1, 2).links[0]);
  CHECK(there.links[1] == route(*routes, 0, 3).links[1]);
  CHECK(there.links[0] != route(*routes, 0, 1).links[1]);  // full duplex: up is not down
}

TEST_CASE("routes: a half-duplex star has one link per node for both directions", "[platforms]") {
  Platform platform = corpus::platform("accepted/star.json");
  platform.network->link.sharing = Sharing::kShared;
  const auto routes = make_route_table(platform);
  CHECK(routes->link_count() == 4 + 4);
  CHECK(route(*routes, 1, 3).links[0] == route(*routes, 0, 1).links[1]);
}

TEST_CASE("routes: uncontended links are marked so", "[platforms]") {
  const auto routes = make_route_table(corpus::platform("accepted/uncontended_network.json"));
  CHECK_FALSE(routes->link(route(*routes, 0, 1).links[0]).is_contended);
  CHECK(routes->link(0).is_contended);
}

TEST_CASE("routes: a tree's route climbs as far as the nodes are apart and comes down again",
          "[platforms]") {
  // 8 nodes: pairs share a leaf switch, fours a level-2 switch.
  const auto routes = make_route_table(tree(8, {{2, 1, 1, {}}, {2, 2, 1, {}}, {2, 2, 1, {}}}));
  CHECK(class_names(*routes, route(*routes, 0, 1)) == "level 1 up, level 1 down");
  CHECK(class_names(*routes, route(*routes, 0, 3)) ==
        "level 1 up, level 2 up, level 2 down, level 1 down");
  CHECK(route(*routes, 0, 4).links.size() == 6);
  CHECK(route(*routes, 0, 4).latency.value == Approx(6 * 0.6e-6));
}

TEST_CASE("routes: a level's own latency and bandwidth count on its links alone", "[platforms]") {
  const auto routes = make_route_table(corpus::platform("accepted/every_key.json"));
  CHECK(route(*routes, 0, 1).latency.value == Approx(2 * 0.6e-6));
  const Route far = route(*routes, 0, 2);
  CHECK(far.latency.value == Approx(2 * 0.6e-6 + 2 * 90e-9));
  CHECK(far.bandwidth == BytesPerSecond{12.5e9});  // the narrower level
}

TEST_CASE("routes: every link is on one level, in one direction, and none is counted twice",
          "[platforms]") {
  const Platform platform = tree(12, {{3, 1, 1, {}}, {4, 3, 2, {}}});
  const auto routes = make_route_table(platform);
  // 12 own paths; level 1: 12 cables; level 2: 4 switches x 3 above x 2 cables. Two links per cable.
  CHECK(routes->link_count() == 12 + 2 * (12 + 24));
  std::map<std::string, int> counts;
  for (LinkIndex link = 0; link < routes->link_count(); ++link) ++counts[routes->link(link).name];
  CHECK(counts == std::map<std::string, int>{{"intra-node", 12},
                                             {"level 1 up", 12},
                                             {"level 1 down", 12},
                                             {"level 2 up", 24},
                                             {"level 2 down", 24}});
  for (NodeIndex from = 0; from < 12; ++from) {
    for (NodeIndex to = 0; to < 12; ++to) {
      const Route path = route(*routes, from, to);
      CHECK(std::set<LinkIndex>(path.links.begin(), path.links.end()).size() == path.links.size());
    }
  }
}

TEST_CASE("routes: shift permutations never share a link in a tree with as many links up as down",
          "[platforms]") {
  // System: 16 nodes, 4 leaf switches of 4 nodes with 4 spines. Expectation: for every shift s, the 16 routes
  // r -> r + s mod 16 are disjoint, because destination-mod-k gives the 4 nodes of a switch 4 different spines
  // (Zahavi 2010).
  const auto routes = make_route_table(tree(16, {{4, 1, 1, {}}, {4, 4, 1, {}}}));
  for (NodeIndex shift = 1; shift < 16; ++shift) {
    std::set<LinkIndex> used;
    std::size_t total = 0;
    for (NodeIndex from = 0; from < 16; ++from) {
      const Route path = route(*routes, from, (from + shift) % 16);
      used.insert(path.links.begin(), path.links.end());
      total += path.links.size();
    }
    CHECK(used.size() == total);
  }
}

TEST_CASE("routes: a tree may have more room than nodes", "[platforms]") {
  const auto routes = make_route_table(tree(5, {{4, 1, 1, {}}, {2, 2, 1, {}}}));
  CHECK(routes->node_count() == 5);
  CHECK(routes->link_count() == 5 + 2 * (8 + 2 * 2));
  CHECK(route(*routes, 4, 0).links.size() == 4);
}
