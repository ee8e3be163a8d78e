// SPDX-License-Identifier: MIT
#include "platforms/placement.hpp"

#include <catch2/catch.hpp>
#include <set>
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
  for (std::uint32_t rank = 0; rank < 7; ++rank) CHECK(places[rank] == RankLocation{rank / 3, rank % 3});
}

TEST_CASE("placement: cyclic puts rank r on node r mod nodes, core r / nodes", "[platforms]") {
  const auto places = place_ranks(7, machine(4, 3), PlacementOrder::kCyclic);
  REQUIRE(places.size() == 7);
  for (std::uint32_t rank = 0; rank < 7; ++rank) CHECK(places[rank] == RankLocation{rank % 4, rank / 4});
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

TEST_CASE("placement: order names are parsed and slips corrected", "[platforms]") {
  CHECK(parse_placement_order("block", "--placement") == PlacementOrder::kBlock);
  CHECK(parse_placement_order("cyclic", "--placement") == PlacementOrder::kCyclic);
  CHECK(corpus::message_of([] { parse_placement_order("cylic", "--placement"); }) ==
        "--placement: unknown placement \"cylic\"\n  did you mean \"cyclic\"?");
  CHECK(corpus::message_of([] { parse_placement_order("random", "--placement"); }) ==
        "--placement: unknown placement \"random\"\n  one of: block, cyclic");
}
