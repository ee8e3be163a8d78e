// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "sim/collectives/selection.hpp"
#include "tests/unit/scenario/texts.hpp"

using namespace reprise;
using namespace reprise::test;

namespace {

struct Result {
  platforms::Document document;
  sim::ReplaySettings settings;
  sim::AppliedChanges applied;
  platforms::Platform platform() const { return platforms::parse_platform(document); }
};

Result applied(const std::string& changes, const std::string& machine = kStar) {
  Result result{platforms::parse_document(machine, "m.json"), {}, {}};
  result.applied = sim::apply(scenario(changes).changes, result.document, result.settings);
  return result;
}

std::string problem(const std::string& changes, const std::string& machine = kStar) {
  return message_of([&] { applied(changes, machine).platform(); });
}

}  // namespace

TEST_CASE("scenario: settings are multiplied with their unit or set, one after the other",
          "[scenario]") {
  const auto result = applied(R"({"path": "/network/link/bandwidth", "set_to": "4 GB/s"},
                                 {"path": "/network/link/bandwidth", "multiply_by": 2}, {"path": "/nodes/count", "set_to": 8})");
  CHECK(result.platform().network->link.bandwidth == BytesPerSecond{8e9});
  CHECK(result.platform().nodes.count == 8);
  CHECK(result.applied.changes == std::vector<std::string>{"/network/link/bandwidth = 4 GB/s",
                                                           "/network/link/bandwidth × 2",
                                                           "/nodes/count = 8"});
  CHECK(result.applied.no_effect.empty());
}

TEST_CASE("scenario: a setting that has the value already is told as without effect",
          "[scenario]") {
  CHECK(applied(R"({"path": "/mpi/eager_limit", "set_to": "64 KiB"}, {"network": "flow"})")
            .applied.no_effect ==
        std::vector<std::string>{"s.json at /changes/0: /mpi/eager_limit is 64 KiB already",
                                 "s.json at /changes/1: the network is flow already"});
}

TEST_CASE("scenario: a setting that the platform has not is refused with the nearest",
          "[scenario]") {
  CHECK(problem(R"({"path": "/network/link/latencey", "multiply_by": 2})") ==
        "s.json at /changes/0/path: m.json has no setting \"/network/link/latencey\"\n  did you "
        "mean \"/network/link/latency\"?");
}

TEST_CASE(
    "scenario: links of one kind are changed alone, whether the file describes them alone or not",
    "[scenario]") {
  const auto tree =
      applied(R"({"link": "spine", "bandwidth": "25%", "latency": 3})", kTree).platform();
  const auto& levels = std::get<platforms::FatTree>(tree.network->topology).levels;
  CHECK(levels[0].link.bandwidth == BytesPerSecond{10e9});
  CHECK(levels[0].link.latency == Seconds{0.5e-6});
  CHECK(levels[1].link.bandwidth == BytesPerSecond{2.5e9});
  CHECK(levels[1].link.latency.value == Approx(3e-6));
  // the name that reports print
  CHECK(applied(R"({"link": "level 2", "bandwidth": "25%", "latency": 3})", kTree).document.value ==
        applied(R"({"link": "spine", "bandwidth": "25%", "latency": 3})", kTree).document.value);
  const auto first = applied(R"({"link": "node", "bandwidth": 2})", kTree).platform();
  CHECK(std::get<platforms::FatTree>(first.network->topology).levels[0].link.bandwidth ==
        BytesPerSecond{20e9});
  CHECK(std::get<platforms::FatTree>(first.network->topology).levels[1].link.bandwidth ==
        BytesPerSecond{10e9});
  const auto inside = applied(R"({"link": "intra-node", "latency": "2x"})").platform();
  CHECK(inside.intra_node.latency == Seconds{0.4e-6});
  CHECK(inside.network->link.latency == Seconds{0.6e-6});
}

TEST_CASE("scenario: links that the platform has not are refused with those it has", "[scenario]") {
  CHECK(problem(R"({"link": "spin", "bandwidth": 2})", kTree) ==
        "s.json at /changes/0/link: the platform has no links \"spin\"\n  did you mean \"spine\"?");
  CHECK(problem(R"({"link": "backbone", "bandwidth": 2})") ==
        "s.json at /changes/0/link: the platform has no links \"backbone\"\n  there are: "
        "intra-node, node, node up, node down, and node:N");
}

TEST_CASE("scenario: an algorithm for a range of sizes leaves the others as they were",
          "[scenario]") {
  const auto rules = [](const std::string& changes, const std::string& machine) {
    const auto result = applied(changes, machine);
    CHECK_NOTHROW(sim::Selection(result.platform(), ""));  // names are known
    return result.document.value["mpi"]["collectives"];
  };
  CHECK(rules(R"({"collective": {"operation": "allreduce"}, "algorithm": "ring"})", kStar).dump() ==
        R"({"allreduce":[{"algorithm":"ring"}]})");
  CHECK(
      rules(
          R"({"collective": {"operation": "allreduce", "above": "64 KiB"}, "algorithm": "segmented_ring", "segment": "1 MiB"})",
          kStar)
          .dump() ==
      R"({"allreduce":[{"algorithm":"library","up_to":"64 KiB"},{"algorithm":"segmented_ring","segment":"1 MiB"}]})");
  CHECK(
      rules(
          R"({"collective": {"operation": "bcast", "above": "512 B", "up_to": "2 KiB"}, "algorithm": "linear"})",
          kTree)["bcast"]
          .dump() ==
      R"([{"algorithm":"binomial","up_to":"512 B"},{"algorithm":"linear","up_to":"2 KiB"},{"algorithm":"chain","fanout":2,"up_to":"1 MiB"},{"algorithm":"library"}])");
  CHECK(rules(R"({"collective": {"operation": "bcast", "up_to": "2 MiB"}, "algorithm": "linear"})",
              kTree)["bcast"]
            .dump() == R"([{"algorithm":"linear","up_to":"2 MiB"},{"algorithm":"library"}])");
}

TEST_CASE("scenario: an algorithm that there is not is refused with the nearest", "[scenario]") {
  CHECK(problem(R"({"collective": {"operation": "exscan"}, "algorithm": "lineer"})") ==
        "s.json at /changes/0/algorithm: no algorithm \"lineer\" for exscan\n"
        "  did you mean \"linear\"? there are: recursive_doubling, linear, linear_nb, library");
}

TEST_CASE("scenario: placement, network and computing go to the settings of the replay",
          "[scenario]") {
  const auto result = applied(
      R"({"placement": "plane:2"}, {"network": "uncontended"}, {"compute": {"ranks": 1}, "multiply_by": 2})");
  CHECK(result.settings.placement.order == platforms::PlacementOrder::kPlane);
  CHECK(result.settings.placement.plane == 2);
  CHECK(result.settings.network == sim::NetworkKind::uncontended);
  REQUIRE(result.settings.compute.size() == 1);
  CHECK(result.settings.compute[0].factor == 2);
  CHECK(result.applied.changes[2] == "every compute time of ranks 1 × 2");
}
