// SPDX-License-Identifier: MIT
#include "platforms/placement_search.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>

#include "platforms/shuffle.hpp"
#include "tests/unit/platforms/corpus.hpp"

using namespace reprise::platforms;

namespace {

Platform star(std::uint32_t nodes, std::uint32_t cores) {
  Platform platform = corpus::platform("accepted/star.json");
  platform.nodes.count = nodes;
  platform.nodes.cores = cores;
  return platform;
}

Platform torus(std::uint32_t x, std::uint32_t y) {
  Platform platform = star(x * y, 1);
  const LinkSpec link = platform.network->link;
  platform.network->topology = Torus{{{x, link}, {y, link}}};
  return platform;
}

// Leaf switches of four nodes: two links to the nodes below the same one, four to all others.
Platform tree(std::uint32_t cores) {
  Platform platform = star(32, cores);
  const LinkSpec link = platform.network->link;
  platform.network->topology = FatTree{{{4, 1, 1, link}, {8, 2, 1, link}}};
  return platform;
}

enum class Border { kOpen, kPeriodic };

// Neighbours in a box, numbered row by row, 100 bytes each way: 200 for each edge and link between its nodes.
RankTraffic halo(std::array<std::uint32_t, 3> size, Border border = Border::kOpen) {
  const std::uint32_t ranks = size[0] * size[1] * size[2];
  RankTraffic traffic(ranks);
  for (std::uint32_t me = 0; me < ranks; ++me)
    for (std::uint32_t axis = 0, stride = 1; axis < 3; stride *= size[axis++]) {
      const std::uint32_t at = me / stride % size[axis];
      std::uint32_t to = me + stride;
      if (at + 1 == size[axis]) {
        if (border == Border::kOpen || size[axis] < 3) continue;
        to = me - at * stride;
      }
      traffic[me].push_back({to, 100});
      traffic[to].push_back({me, 100});
    }
  return traffic;
}

RankTraffic grid(std::uint32_t width, std::uint32_t height) { return halo({width, height, 1}); }

RankTraffic random_traffic(std::uint32_t ranks, std::uint64_t seed) {
  RankTraffic traffic(ranks);
  for (std::uint32_t from = 0; from < ranks; ++from)
    for (std::uint32_t to = 0; to < ranks; ++to)
      if (from != to && next_random(seed) % 3 == 0)
        traffic[from].push_back({to, next_random(seed) % 1000});
  return traffic;
}

double cost(const RankTraffic& traffic, const Platform& platform, const Placement& placement) {
  return hop_bytes(traffic, platform,
                   place_ranks(static_cast<std::uint32_t>(traffic.size()), platform, placement));
}

Placement listed(std::vector<NodeIndex> nodes) {
  Placement placement(PlacementOrder::kListed);
  placement.nodes = std::move(nodes);
  return placement;
}

}  // namespace

TEST_CASE("hop-bytes: bytes times links between the nodes, nothing inside a node", "[platforms]") {
  const RankTraffic traffic{{{1, 10}, {2, 100}}, {}, {{0, 1000}}};
  CHECK(cost(traffic, star(4, 2), PlacementOrder::kBlock) == 2 * 100 + 2 * 1000);
  CHECK(cost(traffic, star(4, 2), PlacementOrder::kCyclic) == 2 * 10 + 2 * 100 + 2 * 1000);
  CHECK(cost(traffic, torus(5, 4), PlacementOrder::kBlock) == 10 + 2 * 100 + 2 * 1000);
}

// System: 8 × 8 ranks on nodes of four. Block makes strips of 1 × 4, and of 112 edges 64 are cut; squares of 2 × 2 cut 48:
// the least there is, as no shape of four holds more than a square's four edges.
TEST_CASE("placement search: a grid is cut into squares where block cuts it into strips",
          "[platforms]") {
  const auto traffic = grid(8, 8);
  const auto machine = star(16, 4);
  CHECK(cost(traffic, machine, PlacementOrder::kBlock) == 2 * 200 * 64);
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    CHECK(cost(traffic, machine, search_placement(traffic, machine, seed)) == 2 * 200 * 48);
}

// System: 64 ranks on nodes of eight. No eight ranks of a plane hold more than the 10 edges of a tile of 2 × 4, of a box than the 12 of a
// cube. On the tree the ranks are on two leaf switches, and each edge between these costs two links more. At least cut by halves are 16
// edges of the periodic plane, 8 of the open one, 16 of the open box.
TEST_CASE("placement search: halos are cut into tiles and cubes, as few as can be on a leaf switch",
          "[platforms]") {
  struct {
    RankTraffic traffic;
    double block_on_star, on_star, block_on_tree, on_tree;  // edges times links
  } const cases[] = {
      {halo({8, 8, 1}, Border::kPeriodic), 2 * 64, 2 * 48, 2 * 64 + 2 * 16, 2 * 48 + 2 * 16},
      {halo({8, 8, 1}), 2 * 56, 2 * 32, 2 * 56 + 2 * 8, 2 * 32 + 2 * 8},
      {halo({4, 4, 4}), 2 * 64, 2 * 48, 2 * 64 + 2 * 16, 2 * 48 + 2 * 16},
      {halo({4, 4, 4}, Border::kPeriodic), 2 * 96, 2 * 96, 2 * 96 + 2 * 32, 2 * 96 + 2 * 32},
  };
  for (const auto& one : cases) {
    CHECK(cost(one.traffic, star(8, 8), PlacementOrder::kBlock) == 200 * one.block_on_star);
    CHECK(cost(one.traffic, tree(8), PlacementOrder::kBlock) == 200 * one.block_on_tree);
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      for (const auto& [machine, least] :
           {std::pair{star(8, 8), one.on_star}, std::pair{tree(8), one.on_tree}})
        CHECK(cost(one.traffic, machine, search_placement(one.traffic, machine, seed)) ==
              200 * least);
  }
}

// System: a periodic plane of 16 × 16 ranks on a torus of 4 × 4 nodes of 16. Squares of 4 × 4 that meet as the nodes do: of the 512 edges
// 24 are inside each, and the 128 others take one link.
TEST_CASE("placement search: tiles of a plane are neighbours on the torus as well", "[platforms]") {
  const auto traffic = halo({16, 16, 1}, Border::kPeriodic);
  Platform machine = torus(4, 4);
  machine.nodes.cores = 16;
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    CHECK(cost(traffic, machine, search_placement(traffic, machine, seed)) == 200 * 128);
}

TEST_CASE("placement search: a grid that fits the torus takes one hop to each neighbour",
          "[platforms]") {
  const auto traffic = grid(6, 6);
  CHECK(cost(traffic, torus(6, 6), search_placement(traffic, torus(6, 6), 1)) == 200 * 60);
}

TEST_CASE(
    "placement search: never worse than block, and no change of two partners' places saves "
    "anything",
    "[platforms]") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto traffic = random_traffic(24, seed);
    for (const auto& machine : {star(8, 3), torus(6, 4)}) {
      const auto found = search_placement(traffic, machine, seed);
      const double least = cost(traffic, machine, found);
      CHECK(least <= cost(traffic, machine, PlacementOrder::kBlock));
      for (std::uint32_t a = 0; a < 24; ++a)
        for (const SentBytes& sent : traffic[a])
          for (std::uint32_t b = 0; b < 24; ++b) {
            if (sent.bytes == 0 || found.nodes[b] != found.nodes[sent.to]) continue;
            auto nodes = found.nodes;
            std::swap(nodes[a], nodes[b]);
            CHECK(cost(traffic, machine, listed(nodes)) >= least);
          }
    }
  }
}

// System: six ranks on three nodes of two, all 90 ways tried.
TEST_CASE("placement search: on a small machine it finds the best of all placements, or nearly",
          "[platforms]") {
  int best = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto traffic = random_traffic(6, seed);
    const auto machine = star(3, 2);
    std::vector<NodeIndex> nodes{0, 0, 1, 1, 2, 2};
    double least = cost(traffic, machine, listed(nodes));
    while (std::next_permutation(nodes.begin(), nodes.end()))
      least = std::min(least, cost(traffic, machine, listed(nodes)));
    const double found = cost(traffic, machine, search_placement(traffic, machine, 1));
    CHECK(found <= 1.05 * least);
    if (found == least) ++best;
  }
  CHECK(best >= 15);
}

TEST_CASE("placement search: nodes hold as many ranks as in block order, one seed gives one answer",
          "[platforms]") {
  const auto traffic = random_traffic(25, 3);
  Platform machine = star(8, 4);
  machine.nodes.groups = {{4, 2, std::nullopt, 1, {}}, {4, 6, std::nullopt, 1, {}}};
  const auto found = search_placement(traffic, machine, 7);
  std::map<NodeIndex, int> here, there;
  for (const NodeIndex node : found.nodes) ++here[node];
  for (const RankLocation place : place_ranks(25, machine, PlacementOrder::kBlock))
    ++there[place.node];
  CHECK(here == there);
  CHECK(search_placement(traffic, machine, 7).nodes == found.nodes);
}

TEST_CASE("placement search: on the nodes of an order, with the hop-bytes of those",
          "[platforms]") {
  // Rows of 4 nodes, of which four ranks get the first of each: on a ring as well.
  const auto traffic = grid(4, 1);
  const Platform machine = torus(4, 4);
  const NodeOrder spread{NodeOrder::Kind::kSpread};
  const auto found = search_placement(traffic, machine, 1, spread);
  auto nodes = found.nodes;
  std::sort(nodes.begin(), nodes.end());
  CHECK(nodes == std::vector<NodeIndex>{0, 4, 8, 12});
  CHECK(cost(traffic, machine, found) == 200 * 3);
  // The same as on the column's own ring, node for node.
  for (NodeIndex& node : nodes = found.nodes) node /= 4;
  CHECK(nodes == search_placement(traffic, torus(4, 4), 1).nodes);
}

TEST_CASE("placement search: ranks that send nothing have places as well", "[platforms]") {
  CHECK(search_placement(RankTraffic(5), star(4, 2), 1).nodes ==
        std::vector<NodeIndex>{0, 0, 1, 1, 2});
  CHECK(search_placement({}, star(4, 2), 1).nodes.empty());
}
