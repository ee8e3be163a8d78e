// SPDX-License-Identifier: MIT
// SimGrid's platform files as platforms of ours, and what of them is refused.
#include "platforms/xml/simgrid_platform.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "platforms/export/simgrid_file.hpp"
#include "platforms/load.hpp"
#include "platforms/routes.hpp"
#include "tests/unit/platforms/corpus.hpp"

namespace reprise::platforms {
namespace {

std::string xml(const std::string& inside) {
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"simgrid.dtd\">\n<platform "
         "version=\"4.1\">\n" +
         inside + "\n</platform>\n";
}
std::string cluster(const std::string& more = "", const std::string& inside = "") {
  return "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-15\" speed=\"1Gf\" "
         "bw=\"12.5GBps\" lat=\"1us\" " +
         more + ">" + inside + "</cluster>";
}
Platform platform(const std::string& inside) {
  return parse_platform(parse_simgrid_platform(xml(inside), "p.xml"));
}
std::string refusal(const std::string& inside) {
  return corpus::message_of([&] { platform(inside); });
}
std::string config(const std::string& id, const std::string& value) {
  return "<config><prop id=\"" + id + "\" value=\"" + value + "\"/></config>" + cluster();
}

}  // namespace

TEST_CASE("simgrid_platform: a plain cluster is a star with SMPI's defaults", "[platforms]") {
  const Platform p =
      platform("<zone id=\"z\" routing=\"Full\">" + cluster("core=\"4\"") + "</zone>");
  CHECK(p.name == "p");
  CHECK(p.nodes.count == 16);
  CHECK(p.nodes.cores == 4);
  CHECK(p.nodes.core_speed->value == 1e9);
  CHECK(std::holds_alternative<Star>(p.network->topology));
  CHECK(p.network->link.bandwidth.value == 12.5e9);
  CHECK(p.network->link.latency.value == 1e-6);
  CHECK(p.network->link.sharing == Sharing::kFullDuplex);
  CHECK(p.intra_node.bandwidth.value == 10e9);
  CHECK(p.intra_node.latency.value == 0);
  CHECK(p.intra_node.sharing == Sharing::kUncontended);
  CHECK(p.mpi.eager_limit.value == 65535);
  CHECK(p.mpi.send_overhead.value == 0);
  CHECK_FALSE(p.mpi.rendezvous_handshake);
  CHECK(p.mpi.meets_at_once());
  CHECK(p.mpi.bandwidth_factors.empty());
}

TEST_CASE("simgrid_platform: sizes beyond every message are a limit that none reaches",
          "[platforms]") {
  for (const char* size : {"1e18", "1e19", "1e300"}) {
    CHECK(platform(config("smpi/async-small-thresh", size)).mpi.eager_limit.value ==
          999'999'999'999'999'999);
    const auto factors =
        platform(config("smpi/bw-factor", std::string("0:1;") + size + ":0.5")).mpi;
    REQUIRE(factors.bandwidth_factors.size() == 2);
  }
}

TEST_CASE("simgrid_platform: a backbone is crossed by every route", "[platforms]") {
  const Platform p =
      platform(cluster("bb_bw=\"100Gbps\" bb_lat=\"500ns\" sharing_policy=\"SHARED\""));
  const auto routes = make_route_table(p);
  Route route;
  routes->find_route(0, 5, route);
  CHECK(route.links.size() == 3);
  CHECK(route.latency.value == Approx(2.5e-6));
  CHECK(routes->link(route.links[1]).bandwidth.value == 12.5e9);
  CHECK(routes->link(route.links[1]).name == "backbone");
}

TEST_CASE("simgrid_platform: a fat tree keeps its levels", "[platforms]") {
  const Platform p = platform(cluster("topology=\"FAT_TREE\" topo_parameters=\"2;4,4;1,2;1,3\""));
  const auto& levels = std::get<FatTree>(p.network->topology).levels;
  REQUIRE(levels.size() == 2);
  CHECK(levels[0].down == 4);
  CHECK(levels[1].up == 2);
  CHECK(levels[1].parallel == 3);
}

TEST_CASE("simgrid_platform: SMPI's settings become MPI's", "[platforms]") {
  const Platform p = platform(
      "<config><prop id='smpi/os' value='0:1e-6:0'/><prop id='smpi/ois' "
      "value='0:2e-6:0;1000:2e-6:0'/><prop id='smpi/or' value='0:3e-6:0'/>"
      "<prop id='smpi/send-is-detached-thresh' value='1001'/><prop id='network/loopback-bw' "
      "value='5MBps'/>"
      "<prop id='smpi/bw-factor' value='65472:0.9;0:0.8'/><prop id='smpi/lat-factor' "
      "value='2'/><prop id='smpi/tmpdir' value='/x'/></config>" +
      cluster());
  CHECK(p.mpi.send_overhead.value == 2e-6);
  CHECK(p.mpi.recv_overhead.value == 3e-6);
  CHECK(p.mpi.eager_limit.value == 1000);
  CHECK(p.intra_node.bandwidth.value == 5e6);
  CHECK(p.mpi.bandwidth_factor(Bytes{65472}) == 0.8);
  CHECK(p.mpi.bandwidth_factor(Bytes{65473}) == 0.9);
  CHECK(p.mpi.latency_factor(Bytes{0}) == 2);
}

TEST_CASE("simgrid_platform: what is not known here is refused with its line", "[platforms]") {
  // Other shapes are SimGrid's to read and to refuse (routed_by_simgrid_test.cpp).
  CHECK(refusal("<host id='a' speed='1Gf'/>") ==
        "p.xml:4: SimGrid refuses it: Starting tag <host> is not allowed here.");
  CHECK(refusal(cluster() + cluster()) ==
        "p.xml:4: SimGrid refuses it: Refusing to create a second NetZone called 'c'.");
  CHECK(platform(cluster("topology='TORUS' topo_parameters='4,4'")).nodes.count == 16);
  CHECK(platform(cluster("limiter_link='1Bps'")).nodes.count == 16);
  CHECK(refusal(cluster("bb_bw='10 furlongs'")) ==
        "p.xml:4: no unit \"furlongs\" in \"10 furlongs\"\n  write a number such as \"12.5GBps\" "
        "or \"100Gbps\"");
  CHECK(refusal(cluster("topology='FAT_TREE' topo_parameters='2;4;1,2;1,3'")) ==
        "p.xml:4: the fat tree's topo_parameters lack a number for each of its 2 levels");
  CHECK(refusal(cluster("", "<prop id='smpi/os' value='0:0'/>")) ==
        "p.xml:4: \"smpi/os\" for a cluster's hosts is not supported\n  put it into <config>, for "
        "the whole platform");
  CHECK(refusal(config("smpi/os", "0:1e-6:1e-9")) ==
        "p.xml:4: smpi/os depends on the message size, which is not supported\n  give one time for "
        "all sizes: \"0:1e-6:0\"");
  CHECK(refusal(config("smpi/or", "fast")) ==
        "p.xml:4: \"fast\" in smpi/or is not a number of 0 or more");
  CHECK(refusal("") == "p.xml: the platform has no hosts");
  CHECK(refusal("<zone>") == "p.xml:5: not well-formed XML: mismatched tag");
  CHECK(corpus::message_of([] { parse_simgrid_platform("<platform version='3'/>", "p.xml"); }) ==
        "p.xml:1: version 3 of SimGrid's platform files is not supported\n  simgrid_update_xml "
        "makes it version 4.1");
}

TEST_CASE("simgrid_file: a cluster is read back as the machine that it was written of",
          "[platforms]") {
  const auto machine = [](const std::string& topology) {
    return parse_platform(parse_document(
        R"({"format": 1, "name": "m", "source": "a test", "nodes": {"count": 12, "cores": 4, "core_speed": "3 Gflop/s"},
            "intra_node": {"bandwidth": "8 GB/s", "latency": "0.3 us", "sharing": "shared"},
            "network": {"sharing": "latency_weighted", "weight_s": "2 KiB", "topology": )" +
            topology + R"(, "link": {"bandwidth": "12.3 GB/s", "latency": "0.7 us"}},
            "mpi": {"eager_limit": "12 KiB", "send_overhead": "0.3 us", "recv_overhead": "0.45 us",
                    "rendezvous_handshake": false, "rendezvous_head": "with_payload",
                    "latency_factors": [{"from": "1 KiB", "factor": 1.5}],
                    "bandwidth_factors": [{"from": "0 B", "factor": 0.8}, {"from": "64 KiB", "factor": 0.95}]}})",
        "m.json"));
  };
  for (
      const char* topology :
      {R"({"kind": "star"})",
       R"({"kind": "star", "backbone": {"bandwidth": "40 GB/s", "latency": "0.2 us", "sharing": "shared"}})",
       R"({"kind": "fat_tree", "levels": [{"down": 4, "up": 1}, {"down": 3, "up": 2, "parallel": 2}]})"}) {
    INFO(topology);
    const Platform before = machine(topology);
    const SimgridFile file = simgrid_file(before);
    CHECK(file.left_out.empty());
    const Platform after = parse_platform(parse_simgrid_platform(file.text, "m.xml"));
    CHECK(after.nodes.cores == 4);
    CHECK(after.nodes.core_speed == before.nodes.core_speed);
    CHECK(after.intra_node == before.intra_node);
    CHECK(after.network->link == before.network->link);
    CHECK(after.network->latency_weights == before.network->latency_weights);
    CHECK(after.mpi.eager_limit == before.mpi.eager_limit);
    CHECK(after.mpi.send_overhead == before.mpi.send_overhead);
    CHECK(after.mpi.recv_overhead == before.mpi.recv_overhead);
    for (const std::uint64_t size : {0U, 1U, 1023U, 1024U, 65535U, 65536U, 1U << 20}) {
      CHECK(after.mpi.latency_factor(Bytes{size}) == before.mpi.latency_factor(Bytes{size}));
      CHECK(after.mpi.bandwidth_factor(Bytes{size}) == before.mpi.bandwidth_factor(Bytes{size}));
    }
    const RouteTable had(before), has(after);
    Route one, other;
    for (NodeIndex from = 0; from < 12; ++from)
      for (NodeIndex to = 0; to < 12; ++to) {
        had.find_route(from, to, one);
        has.find_route(from, to, other);
        CHECK(one.links == other.links);
        CHECK(one.latency == other.latency);
      }
  }
}

TEST_CASE("simgrid_platform: links are shared by latency, as SMPI has it, or as <config> says",
          "[platforms]") {
  const auto weights = [](const std::string& text) { return *platform(text).latency_weights(); };
  const std::string config =
      "<config><prop id='network/weight-S' value='20537.4'/><prop id='network/TCP-gamma' "
      "value='65536'/></config>";
  const std::string no_window =
      "<config><prop id='network/weight-S' value='0'/><prop id='network/TCP-gamma' "
      "value='0'/></config>";
  for (const char* shape : {"", "topology='TORUS' topo_parameters='4,4'"}) {
    CHECK(weights(cluster(shape)) == LatencyWeights{Bytes{8775}, Bytes{4194304}});
    CHECK(weights(config + cluster(shape)) == LatencyWeights{Bytes{20537}, Bytes{65536}});
    CHECK(weights(no_window + cluster(shape)) == LatencyWeights{});
  }
}

TEST_CASE("simgrid_file: that SimGrid does not share evenly is named where routes differ",
          "[platforms]") {
  const Platform tree = corpus::platform("accepted/fat_tree.json");
  const std::string even =
      "even shares of links: SimGrid gives messages on routes of less latency more";
  const auto names_it = [&](const SimgridFile& file) {
    return std::count(file.left_out.begin(), file.left_out.end(), even) == 1;
  };
  CHECK(names_it(simgrid_file(tree)));
  CHECK_FALSE(names_it(simgrid_file(tree, 2)));
  CHECK_FALSE(names_it(simgrid_file(corpus::platform("accepted/star.json"))));
  Platform weighted = tree;
  weighted.network->latency_weights.emplace();
  CHECK_FALSE(names_it(simgrid_file(weighted)));
}

TEST_CASE("simgrid_file: what SimGrid has no counterpart for is named", "[platforms]") {
  const SimgridFile file = simgrid_file(corpus::platform("accepted/every_key.json"));
  CHECK(file.left_out ==
        std::vector<std::string>{
            "the handshake of messages above the eager limit", "progress in MPI calls only",
            "factors by size that apply to messages: in SMPI they apply to links",
            "acknowledgements", "the copy bandwidth", "cold caches", "the reduction bandwidth",
            "MPI's own costs inside a node", "what one rank can take in inside a node",
            "memory bandwidth", "storage", "the choice of collective algorithms"});
}

TEST_CASE("simgrid_file: routes are written for at most 512 hosts", "[platforms]") {
  Platform machine = corpus::platform("accepted/every_key.json");
  machine.network->topology = Star{};
  machine.network->link.sharing = Sharing::kUncontended;
  machine.nodes.count = 513;
  machine.nodes.names.clear();
  CHECK(corpus::message_of([&] { simgrid_file(machine); }) ==
        "accepted/every_key.json: a SimGrid file of this machine would have the routes of 513 "
        "hosts to each other, more than the 512 that are written\n"
        "  --nodes 64 writes the first 64 nodes; stars, and fat trees whose links are all alike, "
        "have any size");
  const std::string two = simgrid_file(machine, 2).text;
  CHECK(two.find("<host id=\"node-1\"") != std::string::npos);
  CHECK(two.find("<host id=\"node-2\"") == std::string::npos);
}

}  // namespace reprise::platforms
