// SPDX-License-Identifier: MIT
#include "platforms/node_order.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "platforms/placement.hpp"
#include "tests/unit/platforms/corpus.hpp"

using namespace reprise::platforms;

namespace {

// NODES of one core on a topology.
Platform machine(NodeIndex nodes, Topology topology) {
  Platform platform = corpus::platform("accepted/star.json");
  platform.nodes.count = nodes;
  platform.nodes.cores = 1;
  platform.network->topology = std::move(topology);
  return platform;
}

FatTree tree(const std::vector<std::uint32_t>& down) {
  FatTree tree;
  for (const std::uint32_t below : down) tree.levels.push_back({below, 1, 1, {}});
  return tree;
}

Torus torus(const std::vector<std::uint32_t>& sizes) {
  Torus torus;
  for (const std::uint32_t size : sizes) torus.dimensions.push_back({size, {}});
  return torus;
}

Dragonfly dragonfly(std::uint32_t groups, std::uint32_t routers, std::uint32_t nodes) {
  return {groups, routers, nodes, 1, {}, {}, {}};
}

using List = std::vector<NodeIndex>;

List spread(const Platform& platform) {
  return ordered_nodes(platform, {NodeOrder::Kind::kSpread});
}

// The nodes of so many ranks, by rank.
List nodes_of(std::uint32_t ranks, const Platform& platform, const std::string& how) {
  List nodes;
  for (const RankLocation& place : place_ranks(ranks, platform, parse_placement(how, "")))
    nodes.push_back(place.node);
  return nodes;
}

}  // namespace

TEST_CASE("node_order: spread takes a node below each leaf switch in turn", "[platforms]") {
  const Platform full = machine(12, tree({4, 3}));
  CHECK(group_sizes(full) == List{4});
  CHECK(spread(full) == List{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
  // Switches that have no node left are passed over.
  CHECK(spread(machine(10, tree({4, 3}))) == List{0, 4, 8, 1, 5, 9, 2, 6, 3, 7});
}

TEST_CASE("node_order: the next leaf switch is in another pod", "[platforms]") {
  const Platform pods = machine(12, tree({2, 3, 2}));
  CHECK(group_sizes(pods) == List{2, 6});
  CHECK(spread(pods) == List{0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11});
}

TEST_CASE("node_order: on a dragonfly the next router is in another group", "[platforms]") {
  const Platform platform = machine(12, dragonfly(3, 2, 2));
  CHECK(group_sizes(platform) == List{2, 4});
  CHECK(spread(platform) == List{0, 4, 8, 2, 6, 10, 1, 5, 9, 3, 7, 11});
}

TEST_CASE("node_order: on a torus rows are taken in turn, from another plane each", "[platforms]") {
  const Platform plane = machine(12, torus({4, 3}));
  CHECK(group_sizes(plane) == List{4});
  CHECK(spread(plane) == List{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
  const Platform cube = machine(8, torus({2, 2, 2}));
  CHECK(group_sizes(cube) == List{2, 4});
  CHECK(spread(cube) == List{0, 4, 2, 6, 1, 5, 3, 7});
}

TEST_CASE("node_order: on a HyperX routers are taken in turn", "[platforms]") {
  const Platform platform = machine(8, HyperX{{{2, 1, {}}, {2, 1, {}}}, 2, {}});
  CHECK(group_sizes(platform) == List{2, 4});
  CHECK(spread(platform) == List{0, 4, 2, 6, 1, 5, 3, 7});
}

TEST_CASE("node_order: every order has every node once", "[platforms]") {
  for (const Topology& topology : {Topology(Star{}), Topology(tree({3, 4, 5})),
                                   Topology(torus({5, 3, 4})), Topology(dragonfly(5, 4, 3))})
    for (const NodeOrder::Kind kind :
         {NodeOrder::Kind::kFirst, NodeOrder::Kind::kSpread, NodeOrder::Kind::kRandom})
      for (const NodeIndex count : {1U, 17U, 60U}) {
        List nodes = ordered_nodes(machine(count, topology), {kind, 3}), all(count);
        std::iota(all.begin(), all.end(), 0U);
        if (kind == NodeOrder::Kind::kFirst) CHECK(nodes == all);
        std::sort(nodes.begin(), nodes.end());
        CHECK(nodes == all);
      }
}

TEST_CASE("node_order: a seed gives one shuffle, another seed another", "[platforms]") {
  const Platform platform = machine(32, tree({4, 8}));
  const auto shuffled = [&](std::uint64_t seed) {
    return ordered_nodes(platform, {NodeOrder::Kind::kRandom, seed});
  };
  CHECK(shuffled(7) == shuffled(7));
  CHECK_FALSE(shuffled(7) == shuffled(8));
  const List places = nodes_of(5, platform, "block@random:7"), nodes = shuffled(7);
  CHECK(std::equal(places.begin(), places.end(), nodes.begin()));
  CHECK(nodes_of(5, platform, "block@random") == nodes_of(5, platform, "block@random:1"));
}

TEST_CASE("node_order: each placement takes the nodes in the order given", "[platforms]") {
  Platform platform = machine(12, tree({4, 3}));
  platform.nodes.cores = 2;
  CHECK(nodes_of(7, platform, "block") == List{0, 0, 1, 1, 2, 2, 3});
  CHECK(nodes_of(7, platform, "block@first") == nodes_of(7, platform, "block"));
  CHECK(nodes_of(7, platform, "block@spread") == List{0, 0, 4, 4, 8, 8, 1});
  CHECK(nodes_of(7, platform, "cyclic@spread") == List{0, 4, 8, 1, 5, 9, 2});
  CHECK(nodes_of(4, platform, "plane:2@spread") == List{0, 0, 4, 4});
  List random = nodes_of(7, platform, "random:3@spread");
  std::sort(random.begin(), random.end());
  CHECK(random == List{0, 0, 1, 4, 4, 8, 8});
  CHECK(place_ranks(3, platform, parse_placement("block@spread", ""))[1] == RankLocation{0, 1});
}

TEST_CASE("node_order: more ranks than cores go on the nodes in the order given", "[platforms]") {
  CHECK(nodes_of(8, machine(4, tree({2, 2})), "block@spread") == List{0, 0, 2, 2, 1, 1, 3, 3});
}

TEST_CASE("node_order: names are parsed and printed, and slips corrected", "[platforms]") {
  for (const char* name : {"first", "spread", "random:7"})
    CHECK(name_of(parse_node_order(name, "--nodes")) == name);
  CHECK(suffix_of(parse_placement("cyclic@spread", "--placement").node_order) == "@spread");
  CHECK(suffix_of(parse_placement("cyclic@first", "--placement").node_order).empty());
  const auto problem = [](const std::string& text) {
    return corpus::message_of([&] { parse_placement(text, "--placement"); });
  };
  CHECK(problem("block@") ==
        "--placement: the order of nodes is empty\n  one of: first, spread, random:SEED");
  CHECK(problem("block@sprad") ==
        "--placement: unknown order of nodes \"sprad\"\n  did you mean \"spread\"?");
  CHECK(problem("block@leaves") ==
        "--placement: unknown order of nodes \"leaves\"\n  one of: first, spread, random:SEED");
  CHECK(problem("block@spread:2") ==
        "--placement: the order of nodes \"spread\" takes no argument\n"
        "  only random does: random:SEED");
  CHECK(problem("cylic@spread") ==
        "--placement: unknown placement \"cylic@spread\"\n  did you mean \"cyclic@spread\"?");
  CHECK(problem("2@spread") ==
        "--placement: unknown placement \"2@spread\"\n"
        "  write plane:2@spread to put so many consecutive ranks on each node");
  CHECK(problem("hosts.txt@spread") ==
        "--placement: unknown placement \"hosts.txt@spread\"\n"
        "  an order of nodes follows block, cyclic, plane:N, random:SEED or search:SEED; a file "
        "names the nodes itself");
}

TEST_CASE("node_order: spread that changes nothing has a reason", "[platforms]") {
  const auto why = [](const Platform& platform, NodeOrder::Kind kind = NodeOrder::Kind::kSpread) {
    const auto text = why_as_first(platform, {kind});
    CHECK((ordered_nodes(platform, {kind}) == ordered_nodes(platform, {})) == text.has_value());
    return text;
  };
  CHECK(why(machine(4, Star{})) == "its topology (star) has no groups of nodes");
  CHECK(why(machine(4, tree({4, 3}))) == "all 4 nodes are in one group, which has room for 4");
  CHECK(why(machine(3, dragonfly(2, 4, 1))) ==
        "all 3 nodes are in one group, which has room for 4");
  CHECK(why(machine(5, tree({4, 3}))) == std::nullopt);
  CHECK(why(machine(5, dragonfly(2, 4, 1))) == std::nullopt);
  CHECK(why(machine(12, tree({4, 3})), NodeOrder::Kind::kRandom) == std::nullopt);
  CHECK(why(corpus::platform("accepted/single_node.json")) == "there is one node");
}
