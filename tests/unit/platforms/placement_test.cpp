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

TEST_CASE("placement: more ranks than cores are refused with what would fit", "[platforms]") {
  CHECK(corpus::message_of([] { place_ranks(64, machine(2, 16), PlacementOrder::kBlock); }) ==
        "accepted/star.json: 64 ranks need as many cores, but 2 nodes of 16 cores have 32\n"
        "  make the machine larger with --set /nodes/count=4 or --set /nodes/cores=32");
  Platform single = machine(1, 1);
  single.network.reset();
  CHECK(corpus::message_of([&] { place_ranks(2, single, PlacementOrder::kCyclic); }) ==
        "accepted/star.json: 2 ranks need as many cores, but 1 node of 1 core has 1\n"
        "  make the machine larger with --set /nodes/cores=2");
}

TEST_CASE("placement: order names are parsed and slips corrected", "[platforms]") {
  CHECK(parse_placement_order("block", "--placement") == PlacementOrder::kBlock);
  CHECK(parse_placement_order("cyclic", "--placement") == PlacementOrder::kCyclic);
  CHECK(corpus::message_of([] { parse_placement_order("cylic", "--placement"); }) ==
        "--placement: unknown placement \"cylic\"\n  did you mean \"cyclic\"?");
  CHECK(corpus::message_of([] { parse_placement_order("random", "--placement"); }) ==
        "--placement: unknown placement \"random\"\n  one of: block, cyclic");
}
