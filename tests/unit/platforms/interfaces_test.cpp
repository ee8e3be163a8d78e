// SPDX-License-Identifier: MIT
#include "platforms/interfaces.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "platforms/effects.hpp"
#include "platforms/load.hpp"
#include "platforms/override.hpp"
#include "tests/unit/platforms/corpus.hpp"

using namespace reprise;
using namespace reprise::platforms;

namespace {

using Texts = std::vector<std::string>;

// Four nodes of 8 cores with interfaces of 10 GB/s on cables of 40 GB/s.
Document star_with_interfaces(const std::string& more) {
  return parse_document(
      R"({"format": 1, "name": "m", "source": "a test", "nodes": {"count": 4, "cores": 8},
    "intra_node": {"bandwidth": "40 GB/s", "latency": "0.3 us", "sharing": "uncontended"},
    "mpi": {"eager_limit": "64 KiB", "send_overhead": "0 us", "recv_overhead": "0 us"},
    "network": {"topology": {"kind": "star"}, "link": {"bandwidth": "40 GB/s", "latency": "0.2 us"},
    "interface": {"bandwidth": "10 GB/s", "latency": "0.3 us")" +
          more + "}}}",
      "m.json");
}

Platform changed(Document document, const Texts& settings) {
  for (const std::string& setting : settings) apply_set(document, setting, "--set");
  return parse_platform(document);
}

// All nodes send to others, with so many ranks on each, by so many of the interfaces of all.
SettingsUse use_of(std::uint32_t ranks, std::uint64_t used) {
  SettingsUse use;
  use.between_nodes.sizes.add(10'000'000);
  use.cables = {"interface", "node"};
  use.interfaces = {4, used};
  for (std::uint32_t node = 0; node < 4; ++node)
    for (std::uint32_t core = 0; core < ranks; ++core) use.places.push_back({node, core});
  return use;
}

Texts without_effect(const std::string& more, const Texts& settings, const SettingsUse& use) {
  Document document = star_with_interfaces(more);
  ChangeTracker tracker(document);
  for (const std::string& setting : settings) {
    apply_set(document, setting, "--set");
    tracker.changed(setting, document);
  }
  return tracker.without_effect(use);
}

const std::string kCount = "/network/interface/count=2", kUse = "/network/interface/use=striped";

}  // namespace

TEST_CASE("interfaces: how many there are and how they are used", "[platforms]") {
  const auto text = [](const std::string& more) {
    return interfaces_text(parse_platform(star_with_interfaces(more)));
  };
  CHECK(text("") == "1 network interface per node of 10 GB/s");
  CHECK(text(R"(, "count": 2)") ==
        "2 network interfaces per node of 10 GB/s each, each rank uses that of its core (by_core)");
  CHECK(text(R"(, "count": 2, "use": "striped")") ==
        "2 network interfaces per node of 10 GB/s each, each message uses all (striped)");
}

TEST_CASE("interfaces: a check names those that no core has, and cables that are too narrow",
          "[platforms]") {
  const Document document = star_with_interfaces(R"(, "count": 2)");
  const Platform two = parse_platform(document);
  CHECK(remarks_on_interfaces(two).empty());
  CHECK(
      remarks_on_interfaces(changed(document, {"/nodes/cores=1"})) ==
      Texts{"nodes of 1 core use 1 of their 2 network interfaces: each rank uses that of its core "
            "(/network/interface/use=striped lets each message use all interfaces of its node)"});
  CHECK(remarks_on_interfaces(changed(document, {"/nodes/cores=1", kUse})).empty());
  const Texts narrow{
      "the 2 network interfaces of a node move 20 GB/s together, but the network's cables 15 GB/s "
      "from a node (/network/link/bandwidth)"};
  CHECK(remarks_on_interfaces(changed(document, {"/network/link/bandwidth=15 GB/s"})) == narrow);
  const Texts tree{"/network/link/bandwidth=7.5 GB/s",
                   "/network/topology={\"kind\":\"fat_tree\",\"levels\":[{\"down\":2,\"up\":1,"
                   "\"parallel\":2},{\"down\":2,\"up\":1}]}"};
  CHECK(remarks_on_interfaces(changed(document, tree)) == narrow);
  CHECK(remarks_on_interfaces(changed(document, {"/network/link/bandwidth=20 GB/s"})).empty());
}

TEST_CASE("interfaces: an answer names those that carried nothing", "[platforms]") {
  const Document document = star_with_interfaces(R"(, "count": 2)");
  const Platform two = parse_platform(document);
  CHECK(remarks_on_interfaces(two, use_of(8, 8)).empty());
  CHECK(remarks_on_interfaces(two, SettingsUse{}).empty());  // nothing between nodes
  CHECK(
      remarks_on_interfaces(two, use_of(1, 4)) ==
      Texts{"4 of the 8 network interfaces of 4 nodes carried no message between nodes: each rank "
            "uses that of its core (/network/interface/use=striped lets each message use all "
            "interfaces of its node)"});
  CHECK(
      remarks_on_interfaces(changed(document, {"/nodes/cores=1"}), use_of(1, 4)) ==
      Texts{"4 of the 8 network interfaces of 4 nodes carried no message between nodes: each rank "
            "uses that of its core, and a node has 1 core (/network/interface/use=striped lets "
            "each message use all interfaces of its node)"});
  CHECK(remarks_on_interfaces(changed(document, {kUse}), use_of(1, 4)).empty());
}

TEST_CASE("effects: more interfaces that no rank uses, and stripes of one", "[platforms]") {
  const std::string same =
      "each rank uses the network interface of its core, and its messages share that with the same "
      "messages as before (/network/interface/use=striped lets each message use all)";
  CHECK(without_effect("", {kCount}, use_of(8, 8)).empty());
  CHECK(without_effect("", {kCount}, use_of(4, 4)) == Texts{kCount + ": " + same});
  CHECK(without_effect("", {kCount}, use_of(1, 4)) == Texts{kCount + ": " + same});
  // One rank of a node sends, its neighbours on other interfaces do not.
  CHECK(without_effect("", {kCount}, use_of(8, 4)) == Texts{kCount + ": " + same});
  CHECK(without_effect(R"(, "count": 4)", {"/network/interface/count=8"}, use_of(8, 32)).empty());
  CHECK(without_effect(R"(, "count": 4)", {"/network/interface/count=8"}, use_of(1, 4)) ==
        Texts{"/network/interface/count=8: " + same});
  CHECK(without_effect("", {kUse}, use_of(8, 4)) ==
        Texts{kUse + ": a node has one network interface"});
  CHECK(without_effect(R"(, "count": 2)", {kUse}, use_of(1, 4)).empty());
  CHECK(without_effect("", {kCount}, SettingsUse{}) ==
        Texts{kCount + ": no message crosses between nodes"});
  SettingsUse empty = use_of(8, 8);
  empty.between_nodes.sizes = {};
  empty.between_nodes.sizes.add(0);
  CHECK(without_effect("", {kCount}, empty) ==
        Texts{kCount + ": the messages between nodes are empty: only latency counts"});
}

TEST_CASE("effects: count and use of interfaces come to something together", "[platforms]") {
  CHECK(without_effect("", {kCount, kUse}, use_of(1, 4)).empty());
  CHECK(without_effect("", {kUse, kCount}, use_of(1, 4)).empty());
}
