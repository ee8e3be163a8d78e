// SPDX-License-Identifier: MIT
#include "platforms/effects.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "platforms/override.hpp"
#include "tests/unit/platforms/corpus.hpp"

using namespace reprise;
using namespace reprise::platforms;

namespace {

const std::string kTree = "accepted/fat_tree.json";

// Why SETTING comes to nothing on the fat tree; empty where something may come of it.
std::string why(const std::string& setting, const SettingsUse& use,
                const std::string& file = kTree) {
  Document document = corpus::document(file);
  const Platform before = parse_platform(document);
  apply_set(document, setting, "--set");
  return why_without_effect(before, parse_platform(document), use);
}

// Two ranks on two nodes below one switch that send each other 100 bytes and 100 kB.
SettingsUse neighbours() {
  SettingsUse use;
  use.places = {{0, 0}, {1, 0}};
  for (const std::uint64_t bytes : {100U, 100000U}) {
    use.between_nodes.sizes.add(bytes);
    use.between_nodes.by_limit.add(bytes);
  }
  use.between_nodes.has_rendezvous = true;
  use.cables = {"node"};
  use.computing_nodes = {0};
  return use;
}

}  // namespace

TEST_CASE(
    "sizes met: what lies between two sizes of one power of two may have been met, what lies "
    "outside was not",
    "[platforms]") {
  SizesMet sizes;
  CHECK(sizes.is_empty());
  sizes.add(1100);
  sizes.add(1900);
  CHECK(sizes.may_hold(1100, 1100));
  CHECK(sizes.may_hold(1500, 1500));
  CHECK_FALSE(sizes.may_hold(0, 1099));
  CHECK_FALSE(sizes.may_hold(1901));
  CHECK(sizes.most() == 1900);
}

TEST_CASE("effects: a link that no route had", "[platforms]") {
  CHECK(why("/network/topology/levels/1/link/latency=5 us", neighbours(),
            "accepted/fat_tree_links.json") == "no message crosses such a link (spine)");
  CHECK(why("/network/link/latency=5 us", neighbours()).empty());
  CHECK(why("/intra_node/latency=5 us", neighbours()) == "no message stays inside a node");
  CHECK(why("/network/topology/levels/1/up=4", neighbours())
            .empty());  // another tree has other routes
}

TEST_CASE("effects: bandwidth of links whose messages are empty", "[platforms]") {
  SettingsUse use = neighbours();
  use.between_nodes = {};
  use.between_nodes.sizes.add(0);
  CHECK(why("/network/link/bandwidth=1 GB/s", use) ==
        "the messages there are empty: only latency counts");
  CHECK(why("/network/link/latency=5 us", use).empty());
}

TEST_CASE("effects: all ranks on one node", "[platforms]") {
  SettingsUse use;
  use.places = {{2, 0}, {2, 1}};
  use.inside_nodes.sizes.add(100);
  use.cables = {"intra-node"};
  CHECK(why("/network/link/bandwidth=1 GB/s", use) ==
        "all ranks are on one node (--placement cyclic spreads them, /intra_node is their path)");
  CHECK(why("/network/topology/levels/1/up=4", use) == "no message crosses between nodes");
}

TEST_CASE("effects: another tree may move ranks that are spread over it", "[platforms]") {
  SettingsUse use;
  use.places = {{2, 0}, {2, 1}};
  use.inside_nodes.sizes.add(100);
  use.cables = {"intra-node"};
  CHECK(why("/network/topology/levels/0/down=8", use) == "no message crosses between nodes");
  use.spreads_nodes = true;
  CHECK(why("/network/topology/levels/0/down=8", use).empty());
  CHECK(why("/network/topology/levels/1/up=4", use) == "no message crosses between nodes");
}

TEST_CASE("effects: protocol settings that no message comes to", "[platforms]") {
  const std::string file = "accepted/star.json";  // eager up to 64 KiB
  CHECK(why("/mpi/eager_limit=16 KiB", neighbours(), file) ==
        "no message between nodes has more than 16 KiB and at most 64 KiB");
  CHECK(why("/mpi/eager_limit=1 MiB", neighbours(), file).empty());
  CHECK(why("/mpi/send_overhead=1 us", neighbours(), file).empty());
  CHECK(why("/mpi/send_overhead=1 us", {}, file) == "no message is between nodes");
  CHECK(why("/mpi/reduction_bandwidth=1 GB/s", neighbours(), file) ==
        "no data is combined: there are no reductions");
  CHECK(why("/mpi/collectives/allreduce=ring", neighbours(), file) == "no allreduce is called");
  CHECK(why("/mpi/collectives/selection=simple", neighbours(), file) == "there are no collectives");
  SettingsUse reduces = neighbours();
  reduces.operations = {"allreduce"};
  reduces.combines = true;
  CHECK(why("/mpi/collectives/allreduce=ring", reduces, file).empty());
  CHECK(why("/mpi/reduction_bandwidth=1 GB/s", reduces, file).empty());
}

TEST_CASE("effects: a size factor counts only where a message has such a size", "[platforms]") {
  const std::string file =
      "accepted/every_key.json";  // latency factor 1.5 from 1 KiB on, bandwidth 0.9, 0.95 from 64 KiB on
  SettingsUse use = neighbours();
  CHECK(why("/mpi/latency_factors/0/factor=2", use, file).empty());
  CHECK(why("/mpi/latency_factors/0/from=2 KiB", use, file) ==
        "no message between nodes has a size whose latency factor has changed");
}

TEST_CASE("effects: nodes", "[platforms]") {
  const std::string file = "accepted/every_key.json";  // three nodes
  CHECK(
      why("/nodes/core_speed=1 Gflop/s", neighbours(), file) ==
      "core_speed only describes the machine; relative_speed and --compute rescale compute times");
  const std::string many = "accepted/star.json";
  SettingsUse together = neighbours();
  together.places = {{0, 0}, {0, 1}};  // as block places them, whatever the number of nodes
  CHECK(why("/nodes/count=2", together, many) == "the ranks are on the same nodes as before");
  SettingsUse third = neighbours();
  third.places[1].node = 2;
  CHECK(why("/nodes/count=2", third, many).empty());
  CHECK(why("/storage/latency=1 s", neighbours(), file) == "no file is used");
  CHECK(why("/name=n", neighbours(), file) == "nothing that a replay uses has changed");
}

TEST_CASE("effects: cores beyond one for each rank, as long as the ranks stay where they are",
          "[platforms]") {
  const std::string file = "accepted/star.json";
  REQUIRE(parse_platform(corpus::document(file)).nodes.cores == 2);
  SettingsUse together = neighbours();
  together.places = {{0, 0}, {0, 1}};  // as block places them
  const std::string why_not =
      "each rank has a core of its own before and after; the threads of a rank are not modelled "
      "(--compute changes compute times)";
  CHECK(why("/nodes/cores=4", together, file) == why_not);
  CHECK(why("/nodes/cores=1", together, file).empty());      // the second rank moves
  CHECK(why("/nodes/cores=4", neighbours(), file).empty());  // not block: who placed them?
  SettingsUse apart = neighbours();
  apart.placement = PlacementOrder::kCyclic;
  CHECK(why("/nodes/cores=4", apart, file) == why_not);
  apart.places[1].node = 0;  // not as cyclic places them
  CHECK(why("/nodes/cores=4", apart, file).empty());
}

TEST_CASE("change tracker: each change is compared with the one before it", "[platforms]") {
  Document document = corpus::document(kTree);
  ChangeTracker tracker(document);
  const auto set = [&](const std::string& setting) {
    apply_set(document, setting, "--set");
    tracker.changed(setting, document);
  };
  set("/mpi/eager_limit=20 KiB");
  set("/network/link/latency=9 us");
  set("/mpi/eager_limit=21 KiB");
  CHECK(tracker.without_effect(neighbours()) ==
        std::vector<std::string>{"/mpi/eager_limit=20 KiB: no message between nodes has more than "
                                 "20 KiB and at most 64 KiB",
                                 "/mpi/eager_limit=21 KiB: no message between nodes has more than "
                                 "20 KiB and at most 21 KiB"});
}

TEST_CASE("change tracker: changes that are sound only together are taken together",
          "[platforms]") {
  Document document = corpus::document("accepted/star.json");
  ChangeTracker tracker(document);
  document.value["nodes"]["cores"] = 0U;
  tracker.changed("first", document);
  document.value["nodes"]["cores"] =
      parse_platform(corpus::document("accepted/star.json")).nodes.cores;
  document.value["name"] = "other";
  tracker.changed("second", document);
  CHECK(tracker.without_effect(neighbours()) ==
        std::vector<std::string>{"first and second: nothing that a replay uses has changed"});
}
