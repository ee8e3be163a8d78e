// SPDX-License-Identifier: MIT
#include "platforms/tree_use.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "platforms/override.hpp"
#include "platforms/routes.hpp"
#include "platforms/topologies/taper.hpp"
#include "tests/unit/platforms/corpus.hpp"

using namespace reprise;
using namespace reprise::platforms;

namespace {

// Four nodes a leaf switch and UP cables above each switch of the level that is oversubscribed; a third level where IS_OF_THREE says so.
Platform tree(int up, bool is_of_three = false) {
  Document document = corpus::document("accepted/fat_tree.json");
  const std::string top =
      is_of_three ? R"(,{"down":2,"up":1},{"down":4,"up":)" : R"(,{"down":8,"up":)";
  apply_set(document,
            "/network/topology/levels=[{\"down\":4,\"up\":1}" + top + std::to_string(up) + "}]",
            "--set");
  apply_set(document, "/nodes/count=32", "--set");
  return parse_platform(document);
}

// Of a message from node 0 to TO: the cables as routes name them.
SettingsUse message_to(const Platform& platform, NodeIndex to) {
  const RouteTable routes(platform);
  SettingsUse use;
  use.between_nodes.sizes.add(1000);
  Route route;
  routes.find_route(0, to, route);
  for (const LinkIndex link : route.links) use.cables.push_back(routes.link(link).cable);
  return use;
}

bool has_no_effect(const std::vector<std::string>& remarks) {
  return remarks.size() == 1 && remarks[0].starts_with("no message leaves a leaf switch");
}

}  // namespace

TEST_CASE("fat tree: a run below its leaf switches is told that oversubscription has no effect",
          "[platforms]") {
  const Platform platform = tree(2);
  CHECK(remarks_on_tree(platform, message_to(platform, 1)) ==
        std::vector<std::string>{
            "no message leaves a leaf switch, so the oversubscription above (2:1) has no effect "
            "(--placement cyclic@spread or block@spread uses several leaf switches)"});
  CHECK(remarks_on_tree(platform, SettingsUse{}).empty());  // nothing between nodes
}

TEST_CASE("fat tree: no other placement is proposed where it would change nothing", "[platforms]") {
  Platform platform = tree(2);
  SettingsUse use = message_to(platform, 1);
  use.places = {{0, 0}, {1, 0}};
  CHECK(remarks_on_tree(platform, use) ==
        std::vector<std::string>{
            "no message leaves a leaf switch, so the oversubscription above (2:1) has no effect "
            "(--placement cyclic@spread or block@spread uses several leaf switches)"});
  use.places.push_back({4, 0});  // below another one, but it talks to nobody there
  CHECK(remarks_on_tree(platform, use) ==
        std::vector<std::string>{
            "no message leaves a leaf switch, so the oversubscription above (2:1) has no effect"});
  platform.nodes.count = 4;
  use.places.pop_back();
  CHECK(remarks_on_tree(platform, use) ==
        std::vector<std::string>{
            "no message leaves a leaf switch, so the oversubscription above (2:1) has no effect "
            "(all 4 "
            "nodes are below one leaf switch; --set /nodes/count makes the machine larger)"});
}

TEST_CASE("fat tree: what is proposed takes messages out of the leaf switches", "[platforms]") {
  Platform platform = tree(2);
  platform.nodes.cores = 1;
  for (const char* how : {"cyclic@spread", "block@spread"}) {
    const auto places = place_ranks(2, platform, parse_placement(how, "--placement"));
    CHECK_FALSE(has_no_effect(remarks_on_tree(platform, message_to(platform, places[1].node))));
  }
}

TEST_CASE("fat tree: one message through a leaf switch, and the oversubscription counts",
          "[platforms]") {
  for (const bool is_of_three : {false, true}) {
    const Platform platform = tree(1, is_of_three);
    CHECK(has_no_effect(remarks_on_tree(platform, message_to(platform, 1))));
    CHECK_FALSE(has_no_effect(remarks_on_tree(platform, message_to(platform, 4))));
    CHECK_FALSE(has_no_effect(remarks_on_tree(platform, message_to(platform, 31))));
  }
}

TEST_CASE("fat tree: the remark names the levels where messages meet oversubscription",
          "[platforms]") {
  const std::string key =
      " (\"up\" in /network/topology/levels counts the cables above each node or switch)";
  const Platform two = tree(1), three = tree(1, true);
  CHECK(remarks_on_tree(two, message_to(two, 4)) ==
        std::vector<std::string>{
            "the fat tree is oversubscribed: level 1: 4 nodes down, 1 cable up: 4:1" + key});
  CHECK(remarks_on_tree(three, message_to(three, 31)) ==
        std::vector<std::string>{"the fat tree is oversubscribed: level 1: 4 nodes down, 1 cable "
                                 "up: 4:1; level 2: 2 cables down, 1 cable up: 2:1" +
                                 key});
}

TEST_CASE("fat tree: what is seldom meant is said of a run, too", "[platforms]") {
  Document document = corpus::document("accepted/fat_tree.json");
  apply_set(document, "/network/topology/levels=[{\"down\":4,\"up\":2},{\"down\":8,\"up\":4}]",
            "--set");
  const Platform platform = parse_platform(document);
  const auto taper = taper_of(platform.network->topology);
  REQUIRE(taper);
  REQUIRE(taper_remarks(*taper).size() == 1);
  CHECK(remarks_on_tree(platform, message_to(platform, 1)) == taper_remarks(*taper));
}

TEST_CASE("fat tree: nothing is said where no level is oversubscribed", "[platforms]") {
  const Platform platform = tree(4);
  CHECK(remarks_on_tree(platform, message_to(platform, 1)).empty());
  CHECK(remarks_on_tree(platform, message_to(platform, 31)).empty());
}
