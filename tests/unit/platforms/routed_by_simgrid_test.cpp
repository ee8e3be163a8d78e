// SPDX-License-Identifier: MIT
// SimGrid platform files of other shapes than one cluster: their hosts, links and routes against what the files say, worked out by hand.
#include "platforms/topologies/routed_by_simgrid.hpp"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "platforms/left_out.hpp"
#include "platforms/override.hpp"
#include "platforms/picture/picture.hpp"
#include "platforms/routes.hpp"
#include "tests/unit/platforms/corpus.hpp"

using namespace reprise;
using namespace reprise::platforms;
using corpus::message_of;

namespace {

std::string path_of(const std::string& name) {
  return REPRISE_CORPUS "/simgrid_files/" + name + ".xml";
}
Platform machine(const std::string& name) { return load_platform(path_of(name)); }

std::uint32_t number_of(const Platform& platform, const std::string& name) {
  const auto& names = platform.nodes.names;
  const auto found = std::find(names.begin(), names.end(), name);
  REQUIRE(found != names.end());
  return static_cast<std::uint32_t>(found - names.begin());
}

Route route(const Platform& platform, const std::string& from, const std::string& to) {
  Route found;
  make_route_table(platform)->find_route(number_of(platform, from), number_of(platform, to), found);
  return found;
}

// "cable, trunk_UP 15us 125000000"
std::string told(const Platform& platform, const std::string& from, const std::string& to) {
  const auto routes = make_route_table(platform);
  const Route found = route(platform, from, to);
  std::string text;
  for (const LinkIndex link : found.links)
    text += (text.empty() ? "" : ", ") + routes->link(link).name;
  return text + ' ' + std::to_string(std::lround(found.latency.value * 1e9)) + "ns " +
         std::to_string(std::lround(found.bandwidth.value / 1e6)) + "MB/s";
}

}  // namespace

TEST_CASE("routed by SimGrid: hosts are nodes in the file's order, with their cores and speeds",
          "[platforms]") {
  const Platform p = machine("full");
  CHECK(p.nodes.names == std::vector<std::string>{"zoe", "adam", "mia"});
  REQUIRE(p.nodes.groups.size() == 2);
  CHECK(p.nodes.groups[0].count == 2);
  CHECK(p.nodes.groups[0].cores == 2);
  CHECK(p.nodes.groups[0].core_speed->value == 1e9);
  CHECK(p.nodes.groups[1].cores == 4);
  CHECK(p.nodes.groups[1].core_speed->value == 2e9);
  CHECK(p.nodes.groups[1].relative_speed == 1);  // speeds describe, and rescale nothing
  CHECK(p.intra_node.bandwidth.value == 10e9);   // SimGrid's own loopback
  CHECK(p.intra_node.sharing == Sharing::kUncontended);
  CHECK(p.mpi.eager_limit.value == 65535);
  CHECK(machine("torus").intra_node.bandwidth.value == 8e9);
}

TEST_CASE("routed by SimGrid: a route for each pair, one way or both", "[platforms]") {
  const Platform p = machine("full");
  CHECK(told(p, "zoe", "adam") == "cable 50000ns 125MB/s");
  CHECK(told(p, "adam", "zoe") == "sky 1000000ns 2000MB/s");
  CHECK(told(p, "adam", "mia") == "trunk_UP, cable 60000ns 125MB/s");
  CHECK(told(p, "mia", "adam") == "cable, trunk_DOWN 60000ns 125MB/s");
  CHECK(message_of([&] { route(p, "zoe", "mia"); }) ==
        path_of("full") +
            ": no route from \"zoe\" to \"mia\": nothing connects them\n  add one, or place the "
            "ranks on other hosts (--placement)");
  const auto routes = make_route_table(p);
  CHECK_FALSE(routes->link(route(p, "adam", "zoe").links[0]).is_contended);
}

TEST_CASE("routed by SimGrid: Floyd's and Dijkstra's routes of several hops", "[platforms]") {
  for (const char* file : {"floyd", "dijkstra"}) {
    const Platform p = machine(file);
    CHECK(told(p, "h0", "h3") == "l01, l12, l23 7000ns 1000MB/s");
    CHECK(told(p, "h3", "h1") == "l23, l12 6000ns 2000MB/s");
  }
}

// More than 64 links: classes by the names' patterns.
TEST_CASE("routed by SimGrid: many links are in few classes", "[platforms]") {
  const Platform torus = machine("torus");
  CHECK(torus.nodes.count == 12);
  CHECK(route(torus, "node-0", "node-1").links.size() == 1);
  CHECK(route(torus, "node-0", "node-11").latency.value == Approx(3e-6));
  const auto& links = std::get<RoutedBySimgrid>(torus.network->topology).links;
  CHECK(links.size() <= 8);
  const Platform dragonfly = machine("dragonfly");
  CHECK(dragonfly.nodes.count == 16);
  const auto routes = make_route_table(dragonfly);
  Route found;
  routes->find_route(0, 15, found);
  CHECK(std::count_if(found.links.begin(), found.links.end(), [&](LinkIndex link) {
          return routes->link(link).name == "c_link_#_limiter";
        }) == 7);  // of both nodes and of every router on the way
  CHECK(found.bandwidth.value == 1e9);
}

TEST_CASE("routed by SimGrid: two clusters with backbones, and a link between them",
          "[platforms]") {
  const Platform p = machine("two_clusters");
  CHECK(p.nodes.count == 8);
  CHECK(told(p, "l0", "l3") == "left_link_0_UP, left_backbone, left_link_3_DOWN 25000ns 1000MB/s");
  CHECK(told(p, "l1", "r2") ==
        "left_link_1_UP, left_backbone, between, right_backbone, right_link_2_DOWN 140000ns "
        "500MB/s");
  CHECK(p.intra_node.bandwidth.value == 20e9);
  CHECK(left_out_of(p).empty());
}

// The hosts of "left" have no loopback: SimGrid takes their messages to themselves up and down their cables.
TEST_CASE("routed by SimGrid: inside a host without a loopback messages take its cables",
          "[platforms]") {
  const Platform p = machine("two_clusters");
  CHECK(told(p, "r1", "r1") == "intra-node 100ns 20000MB/s");
  CHECK(told(p, "l2", "l2") == "left_link_2_UP, left_backbone, left_link_2_DOWN 25000ns 1000MB/s");
  const Platform far = machine("coordinates");
  CHECK(told(far, "v1", "v1") == "coordinates 2000000ns 1000000000000MB/s");
}

TEST_CASE("routed by SimGrid: cabinets, peers, coordinates, bypasses", "[platforms]") {
  CHECK(told(machine("cabinets"), "a-0", "b-1") ==
        "link_a-0_UP, spine, link_b-1_DOWN 25000ns 1000MB/s");
  // SimGrid's TCP window lets 4 MiB through in two latencies
  CHECK(told(machine("peers"), "p0", "p1") == "link_p0_UP, link_p1_DOWN 5000000ns 419MB/s");
  const Platform far = machine("coordinates");
  CHECK(route(far, "v0", "v1").latency.value == Approx(6e-3));
  const auto routes = make_route_table(far);
  CHECK(routes->link(route(far, "v0", "v1").links.at(0)).name == "coordinates");
  const Platform bypass = machine("bypass");
  CHECK(told(bypass, "w0", "w1") == "short 100ns 1000MB/s");
  CHECK(told(bypass, "w0", "e0") == "w, past, e 4000ns 1000MB/s");
  CHECK(told(bypass, "e0", "w0") == "e, usual, w 12000ns 1000MB/s");
}

TEST_CASE("routed by SimGrid: what no replay does is listed with its line", "[platforms]") {
  CHECK(left_out_of(machine("profiles")) ==
        std::vector<std::string>{
            path_of("profiles") + ":7: <disk> \"d\": /storage describes files",
            path_of("profiles") +
                ":15: the profile of HOST_AVAIL of \"b\": links and hosts are never off"});
}

// Factors on what the file says: a bandwidth profile has bytes per second, one of speed factors already.
TEST_CASE("routed by SimGrid: profiles of links and hosts are factors over time", "[platforms]") {
  const Platform p = machine("profiles");
  const auto& profiles = std::get<RoutedBySimgrid>(p.network->topology).profiles;
  REQUIRE(profiles.size() == 2);
  using Steps = std::vector<SimgridProfile::Step>;
  CHECK(profiles[0].of == SimgridProfile::Of::speed);
  CHECK(profiles[0].name == "a");
  CHECK(profiles[0].steps == Steps{{Seconds{0}, 1}, {Seconds{1}, 0.5}});
  CHECK(profiles[0].repeat_every.value == 3);  // 2 s after the last line
  CHECK(profiles[1].of == SimgridProfile::Of::bandwidth);
  CHECK(profiles[1].name == "l");
  CHECK(profiles[1].steps == Steps{{Seconds{0}, 1}, {Seconds{1}, 0.5}});
  CHECK(profiles[1].repeat_every.value == 0);
}

TEST_CASE("routed by SimGrid: profiles of what the file has not, or that cannot be, are refused",
          "[platforms]") {
  const auto refusal = [](const char* key, nlohmann::json value) {
    Document document = load_document(path_of("profiles"));
    document.value["network"]["topology"]["profiles"][1][key] = std::move(value);
    return message_of([&] { parse_platform(document); });
  };
  const std::string at = path_of("profiles") + " at /network/topology/profiles/1/";
  CHECK(refusal("name", "k") == at + "name: the file has no link \"k\"");
  CHECK(refusal("of", "speed") == at + "name: the file has no host \"l\"");
  CHECK(refusal("repeat_every", "0.5 s") ==
        at + "repeat_every: it is shorter than the time of the last step\n  give a longer time, or "
             "leave it out");
  CHECK(refusal("steps", {{{"from", "2 s"}, {"factor", 1}}, {{"from", "1 s"}, {"factor", 1}}}) ==
        at + "steps: they are not in ascending order of time");
}

TEST_CASE("routed by SimGrid: figures of a class are settings like others", "[platforms]") {
  Document document = load_document(path_of("floyd"));
  apply_set(document, "/network/topology/links/1/latency=1 ms", "--set");
  const Platform p = parse_platform(document);
  CHECK(told(p, "h0", "h3") == "l01, l12, l23 1005000ns 1000MB/s");
  multiply_links(document, "bandwidth", 2, "--bandwidth");
  CHECK(told(parse_platform(document), "h0", "h3") == "l01, l12, l23 1005000ns 2000MB/s");
  apply_set(document, "/network/topology/links/1/name=\"other\"", "--set");
  CHECK(message_of([&] { parse_platform(document); }) ==
        path_of("floyd") +
            " at /network/topology/links: they are not those of floyd.xml\n  leave them out to use "
            "the file's own");
  CHECK(picture_of(p).find("floyd.xml") != std::string::npos);
}

TEST_CASE("routed by SimGrid: a forked process asks a SimGrid of its own", "[platforms]") {
  const Platform p = machine("floyd");
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  if (fork() == 0) {
    const std::string text = told(p, "h0", "h2");
    _exit(write(ends[1], text.data(), text.size()) < 0 ? 1 : 0);
  }
  char text[100] = {};
  close(ends[1]);
  CHECK(read(ends[0], text, sizeof text - 1) > 0);
  close(ends[0]);
  CHECK(std::string(text) == "l01, l12 3000ns 1000MB/s");
  CHECK(told(p, "h1", "h3") == "l12, l23 6000ns 2000MB/s");  // and this one its own
}
