// SPDX-License-Identifier: MIT
#include "platforms/placement.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <utility>

#include "tests/unit/platforms/corpus.hpp"

using namespace reprise::platforms;

namespace {

Platform machine(std::uint32_t nodes, std::uint32_t cores) {
  Platform platform = corpus::platform("accepted/star.json");
  platform.nodes.count = nodes;
  platform.nodes.cores = cores;
  return platform;
}

}  // namespace

TEST_CASE("placement: block puts rank r on node r / cores, core r mod cores", "[platforms]") {
  const auto places = place_ranks(7, machine(4, 3), PlacementOrder::kBlock);
  REQUIRE(places.size() == 7);
  for (std::uint32_t rank = 0; rank < 7; ++rank)
    CHECK(places[rank] == RankLocation{rank / 3, rank % 3});
}

TEST_CASE("placement: cyclic puts rank r on node r mod nodes, core r / nodes", "[platforms]") {
  const auto places = place_ranks(7, machine(4, 3), PlacementOrder::kCyclic);
  REQUIRE(places.size() == 7);
  for (std::uint32_t rank = 0; rank < 7; ++rank)
    CHECK(places[rank] == RankLocation{rank % 4, rank / 4});
}

TEST_CASE("placement: a full machine uses every core once, in either order", "[platforms]") {
  for (const PlacementOrder order : {PlacementOrder::kBlock, PlacementOrder::kCyclic}) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> used;
    for (const RankLocation place : place_ranks(15, machine(5, 3), order)) {
      CHECK(place.node < 5);
      CHECK(place.core < 3);
      used.insert({place.node, place.core});
    }
    CHECK(used.size() == 15);
  }
}

TEST_CASE("placement: more ranks than cores are spread evenly and share them", "[platforms]") {
  const auto block = place_ranks(64, machine(2, 16), PlacementOrder::kBlock);
  CHECK(block[0] == RankLocation{0, 0});
  CHECK(block[17] == RankLocation{0, 1});
  CHECK(block[31] == RankLocation{0, 15});
  CHECK(block[32] == RankLocation{1, 0});
  CHECK(block[63] == RankLocation{1, 15});
  const auto cyclic = place_ranks(64, machine(2, 16), PlacementOrder::kCyclic);
  CHECK(cyclic[1] == RankLocation{1, 0});
  CHECK(cyclic[33] == RankLocation{1, 0});
  CHECK(cyclic[63] == RankLocation{1, 15});
}

TEST_CASE("placement: a plane keeps so many consecutive ranks together", "[platforms]") {
  const auto places = place_ranks(10, machine(3, 4), parse_placement("plane:2", "--placement"));
  std::string nodes;
  for (const RankLocation place : places) nodes += std::to_string(place.node);
  CHECK(nodes == "0011220011");
}

TEST_CASE("placement: random shuffles the places of block, alike for the same seed",
          "[platforms]") {
  const auto block = place_ranks(24, machine(8, 4), PlacementOrder::kBlock);
  const auto seven = place_ranks(24, machine(8, 4), parse_placement("random:7", "--placement"));
  CHECK(seven == place_ranks(24, machine(8, 4), parse_placement("random:7", "--placement")));
  CHECK_FALSE(seven == place_ranks(24, machine(8, 4), parse_placement("random:8", "--placement")));
  CHECK_FALSE(seven == block);
  CHECK(std::is_permutation(seven.begin(), seven.end(), block.begin()));
}

TEST_CASE("placement: nodes that are not alike are filled as far as their cores go",
          "[platforms]") {
  Platform mixed = machine(3, 4);
  mixed.nodes.groups = {{2, 1, {}, 1, {}}, {1, 4, {}, 1, {}}};
  const auto nodes = [&](const std::string& how, std::uint32_t ranks) {
    std::string text;
    for (const RankLocation place : place_ranks(ranks, mixed, parse_placement(how, "")))
      text += std::to_string(place.node);
    return text;
  };
  CHECK(nodes("block", 6) == "012222");
  CHECK(nodes("cyclic", 6) == "012222");
  CHECK(nodes("block", 12) == "001122222222");
}

TEST_CASE("placement: mpirun's ppr:N:node is a plane", "[platforms]") {
  for (const char* text : {"ppr:2:node", "ppr:2"}) {
    const auto placement = parse_placement(text, "--placement");
    CHECK(placement.order == PlacementOrder::kPlane);
    CHECK(placement.plane == 2);
    const auto places = place_ranks(6, machine(3, 4), placement);
    for (std::uint32_t rank = 0; rank < 6; ++rank)
      CHECK(places[rank] == RankLocation{rank / 2, rank % 2});
  }
}

TEST_CASE("placement: names are parsed and slips corrected", "[platforms]") {
  CHECK(parse_placement("block", "--placement").order == PlacementOrder::kBlock);
  CHECK(parse_placement("cyclic", "--placement").order == PlacementOrder::kCyclic);
  const auto problem = [](const std::string& text) {
    return corpus::message_of([&] { parse_placement(text, "--placement"); });
  };
  CHECK(problem("cylic") == "--placement: unknown placement \"cylic\"\n  did you mean \"cyclic\"?");
  CHECK(problem("spread") ==
        "--placement: unknown placement \"spread\"\n"
        "  write block@spread or cyclic@spread: an order of nodes follows the name of a placement");
  CHECK(problem("scatter") ==
        "--placement: unknown placement \"scatter\"\n"
        "  one of: block, cyclic, plane:N, random:SEED, search:SEED, or a file's path");
  CHECK(problem("2") ==
        "--placement: unknown placement \"2\"\n"
        "  write plane:2 to put so many consecutive ranks on each node");
  CHECK(problem("ppr:2:socket") ==
        "--placement: \"ppr:2:socket\" counts ranks by something other than nodes\n"
        "  plane:N or ppr:N:node puts N consecutive ranks on each node");
  CHECK(problem("block:3") == "--placement: \"block\" takes no argument");
  CHECK(problem("plane") ==
        "--placement: \"plane\" needs the number of ranks per group\n  write it as plane:4");
  CHECK(problem("plane:0") ==
        "--placement: a plane of 0 ranks is not possible\n  write a number above zero, such as "
        "plane:4");
}
