// SPDX-License-Identifier: MIT
// Torus, dragonfly, sockets and network interfaces against closed forms.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "platforms/link_name.hpp"
#include "platforms/routes.hpp"
#include "platforms/topologies/taper.hpp"
#include "tests/unit/platforms/corpus.hpp"

using namespace reprise;
using namespace reprise::platforms;

namespace {

Platform machine(const std::string& nodes, const std::string& topology,
                 const std::string& more = "") {
  return parse_platform(
      parse_document(R"({"format": 1, "name": "m", "source": "a test", "nodes": )" + nodes +
                         R"(, "intra_node": {"bandwidth": "10 GB/s", "latency": "0.2 us"},
    "mpi": {"eager_limit": "64 KiB", "send_overhead": "0.1 us", "recv_overhead": "0.1 us"},
    "network": {"link": {"bandwidth": "2 GB/s", "latency": "1 us"}, "topology": )" +
                         topology + more + "}}",
                     "m.json"));
}

Route route(const RouteTable& routes, NodeIndex from, NodeIndex to) {
  Route found;
  routes.find_route(from, to, found);
  return found;
}

std::string names(const RouteTable& routes, NodeIndex from, NodeIndex to) {
  std::string text;
  for (const LinkIndex link : route(routes, from, to).links)
    text += (text.empty() ? "" : ", ") + routes.link(link).name;
  return text;
}

std::map<std::string, int> links_by_cable(const RouteTable& routes) {
  std::map<std::string, int> counts;
  for (LinkIndex link = 0; link < routes.link_count(); ++link) ++counts[routes.link(link).cable];
  return counts;
}

}  // namespace

TEST_CASE("torus: hops between two nodes are the sum of the shorter ways round", "[platforms]") {
  const auto routes = make_route_table(
      machine(R"({"count": 60, "cores": 1})",
              R"({"kind": "torus", "dimensions": [{"size": 3}, {"size": 4}, {"size": 5}]})"));
  const auto ring = [](std::uint32_t a, std::uint32_t b, std::uint32_t size) {
    const std::uint32_t d = a > b ? a - b : b - a;
    return std::min(d, size - d);
  };
  for (NodeIndex a = 0; a < 60; ++a)
    for (NodeIndex b = 0; b < 60; ++b) {
      if (a == b) continue;
      const std::uint32_t hops =
          ring(a % 3, b % 3, 3) + ring(a / 3 % 4, b / 3 % 4, 4) + ring(a / 12, b / 12, 5);
      const Route path = route(*routes, a, b);
      CHECK(path.links.size() == hops);
      CHECK(path.latency.value == Approx(hops * 1e-6));
    }
}

TEST_CASE("torus: the first dimension is gone along to its end before the next", "[platforms]") {
  const auto routes = make_route_table(machine(
      R"({"count": 12, "cores": 1})",
      R"({"kind": "torus", "dimensions": [{"size": 4}, {"size": 3, "link": {"bandwidth": "1 GB/s"}}]})"));
  CHECK(names(*routes, 0, 6) == "x up, x up, y up");
  CHECK(names(*routes, 0, 11) == "x down, y down");
  CHECK(route(*routes, 0, 2).bandwidth == BytesPerSecond{2e9});
  CHECK(route(*routes, 0, 6).bandwidth == BytesPerSecond{1e9});  // y is narrower
  CHECK(links_by_cable(*routes) ==
        std::map<std::string, int>{{"intra-node", 12}, {"x", 24}, {"y", 24}});
}

TEST_CASE("torus: a dimension of two has one cable per pair", "[platforms]") {
  const auto routes =
      make_route_table(machine(R"({"count": 8, "cores": 1})",
                               R"({"kind": "torus", "dimensions": [{"size": 4}, {"size": 2}]})"));
  CHECK(links_by_cable(*routes) ==
        std::map<std::string, int>{{"intra-node", 8}, {"x", 16}, {"y", 8}});
  CHECK(route(*routes, 1, 5).links[0] + 1 ==
        route(*routes, 5, 1).links[0]);  // the two directions of one cable
}

TEST_CASE("dragonfly: a route has at most one local cable in each group and one between them",
          "[platforms]") {
  const auto routes = make_route_table(machine(
      R"({"count": 72, "cores": 1})",
      R"({"kind": "dragonfly", "groups": 9, "routers": 4, "nodes": 2, "global_link": {"latency": "3 us", "bandwidth": "1 GB/s"}})"));
  CHECK(names(*routes, 0, 1) == "node up, node down");
  CHECK(names(*routes, 0, 2) == "node up, local up, node down");
  CHECK(names(*routes, 2, 0) == "node up, local down, node down");
  for (NodeIndex from = 0; from < 72; ++from)
    for (NodeIndex to = 0; to < 72; ++to) {
      if (from / 8 == to / 8) continue;
      const Route path = route(*routes, from, to);
      int globals = 0, locals = 0;
      for (const LinkIndex link : path.links) {
        globals += routes->link(link).cable == "global";
        locals += routes->link(link).cable == "local";
      }
      CHECK(globals == 1);
      CHECK(locals <= 2);
      CHECK(path.latency.value == Approx((2 + locals + 3) * 1e-6));
      CHECK(path.bandwidth == BytesPerSecond{1e9});
    }
  // 9 groups: 9·4·3/2 local cables and 9·8/2 global ones, two links each.
  CHECK(links_by_cable(*routes) ==
        std::map<std::string, int>{
            {"intra-node", 72}, {"node", 144}, {"local", 108}, {"global", 72}});
}

TEST_CASE("dragonfly: several cables between two groups are all in use, by the receiver's number",
          "[platforms]") {
  const auto routes = make_route_table(machine(
      R"({"count": 16, "cores": 1})",
      R"({"kind": "dragonfly", "groups": 2, "routers": 4, "nodes": 2, "global_cables": 4})"));
  std::map<LinkIndex, int> used;
  for (NodeIndex to = 8; to < 16; ++to)
    for (const LinkIndex link : route(*routes, 0, to).links)
      if (routes->link(link).cable == "global") ++used[link];
  CHECK(used.size() == 4);
  for (const auto& [link, times] : used) CHECK(times == 2);
}

// A router is one cable away from every other of its row: as many hops as coordinates that differ, and the nodes' own links.
TEST_CASE("HyperX: a route has a cable for each dimension in which the routers differ",
          "[platforms]") {
  const auto routes = make_route_table(machine(
      R"({"count": 48, "cores": 1})",
      R"({"kind": "hyperx", "nodes": 2, "dimensions": [{"size": 4}, {"size": 3, "link": {"latency": "3 us"}}, {"size": 2, "parallel": 2}]})"));
  CHECK(names(*routes, 0, 1) == "node up, node down");
  CHECK(names(*routes, 0, 2) == "node up, x up, node down");
  CHECK(names(*routes, 6, 0) == "node up, x down, node down");
  CHECK(names(*routes, 0, 47) == "node up, x up, y up, z up, node down");
  std::map<LinkIndex, int> used;
  for (NodeIndex from = 0; from < 48; ++from)
    for (NodeIndex to = 0; to < 48; ++to) {
      if (from == to) continue;
      const std::uint32_t a = from / 2, b = to / 2;
      const int x = a % 4 != b % 4, y = a / 4 % 3 != b / 4 % 3, z = a / 12 != b / 12;
      const Route path = route(*routes, from, to);
      CHECK(path.links.size() == static_cast<std::size_t>(2 + x + y + z));
      CHECK(path.latency.value == Approx((2 + x + 3 * y + z) * 1e-6));
      for (const LinkIndex link : path.links) ++used[link];
    }
  // Each pair of a row has its cables: 24 routers with 3, 2 and 1·2 cables each, half of them its own; two links a cable, and all of
  // them are in use.
  CHECK(links_by_cable(*routes) ==
        std::map<std::string, int>{
            {"intra-node", 48}, {"node", 96}, {"x", 72}, {"y", 48}, {"z", 48}});
  CHECK(used.size() == 96 + 72 + 48 + 48);
}

// S routers in a row, halved: (S/2)² cables between the halves, times the K parallel ones. With everybody sending to everybody
// of the other half they are loaded evenly, S routers with T nodes: (S/2·T)² messages over (S/2)²·K cables, T²/K each.
TEST_CASE("HyperX: traffic between two halves of a row uses all cables between them evenly",
          "[platforms]") {
  for (const std::uint32_t parallel : {1U, 2U, 4U}) {
    const auto routes = make_route_table(
        machine(R"({"count": 24, "cores": 1})",
                R"({"kind": "hyperx", "nodes": 4, "dimensions": [{"size": 6, "parallel": )" +
                    std::to_string(parallel) + "}]}"));
    std::map<LinkIndex, std::uint32_t> messages;
    for (NodeIndex from = 0; from < 12; ++from)
      for (NodeIndex to = 12; to < 24; ++to)
        for (const LinkIndex link : route(*routes, from, to).links)
          if (routes->link(link).cable == "x") ++messages[link];
    CHECK(messages.size() == 9 * parallel);
    for (const auto& [link, count] : messages) CHECK(count == 16 / parallel);
  }
}

TEST_CASE("HyperX: a machine that is larger than it is refused", "[platforms]") {
  CHECK(corpus::message_of([] {
          machine(R"({"count": 13, "cores": 1})",
                  R"({"kind": "hyperx", "nodes": 2, "dimensions": [{"size": 3}, {"size": 2}]})");
        }) ==
        "m.json at /network/topology: the HyperX has room for 12 nodes, but /nodes/count is 13\n"
        "  the room is nodes × the product of \"size\" over the dimensions");
}

TEST_CASE(
    "interfaces: a message leaves by the one of its sender's core, and arrives by its receiver's",
    "[platforms]") {
  const Platform platform =
      machine(R"({"count": 4, "cores": 5})", R"({"kind": "star"})",
              R"(, "interface": {"count": 2, "bandwidth": "1 GB/s", "latency": "0.5 us"})");
  const auto routes = make_route_table(platform);
  CHECK(routes->ends_per_node() == 2);
  CHECK(routes->end_count() == 8);
  std::vector<NodeIndex> ends;  // of node 1's cores
  for (std::uint32_t core = 0; core < 5; ++core) ends.push_back(platform.end_of(1, core));
  CHECK(ends == std::vector<NodeIndex>{2, 2, 2, 3, 3});  // core * 2 / 5
  CHECK(names(*routes, 0, 2) == "interface out, node up, node down, interface in");
  CHECK(names(*routes, 0, 1) == "intra-node");  // two interfaces, one node
  CHECK(route(*routes, 0, 2).bandwidth == BytesPerSecond{1e9});
  CHECK(route(*routes, 0, 2).latency.value == Approx(3e-6));
  for (const NodeIndex from : {0U, 1U})
    for (const NodeIndex to : {2U, 3U, 7U}) {
      const auto links = route(*routes, from, to).links;
      const auto out = routes->interface_of(links.front()), in = routes->interface_of(links.back());
      CHECK(out->node == 0);
      CHECK(out->number == from);
      CHECK(in->node == to / 2);
      CHECK(in->number == to % 2);
      CHECK_FALSE(routes->interface_of(links[1]));
      CHECK(name_on_route(*routes, links.back()) == "interface " + std::to_string(to % 2) + " in");
      CHECK(link_name(*routes, links.back()) ==
            "node " + std::to_string(to / 2) + ", interface " + std::to_string(to % 2));
    }
}

TEST_CASE("interfaces: striped ones of a node are one link of their bandwidth together",
          "[platforms]") {
  const auto routes = make_route_table(machine(
      R"({"count": 4, "cores": 8})", R"({"kind": "star"})",
      R"(, "interface": {"count": 3, "use": "striped", "bandwidth": "0.5 GB/s", "latency": "0.5 us"})"));
  CHECK(routes->end_count() == 4);
  CHECK(links_by_cable(*routes)["interface"] == 8);
  CHECK(route(*routes, 0, 1).bandwidth == BytesPerSecond{1.5e9});
  CHECK(route(*routes, 0, 1).latency.value == Approx(3e-6));
  CHECK(name_on_route(*routes, route(*routes, 0, 1).links.front()) == "interface out");
  CHECK(link_name(*routes, route(*routes, 0, 1).links.front()) == "node 0");
}

TEST_CASE("interfaces: an end is what has one socket and one interface", "[platforms]") {
  const std::string links = R"({"bandwidth": "1 GB/s", "latency": "0.5 us", "count": )";
  for (std::uint32_t sockets = 1; sockets <= 6; ++sockets)
    for (std::uint32_t interfaces = 1; interfaces <= 6; ++interfaces) {
      Platform platform = machine(R"({"count": 2, "cores": 60})", R"({"kind": "star"})",
                                  R"(, "interface": )" + links + std::to_string(interfaces) + "}");
      platform.nodes.sockets = sockets;
      const auto routes = make_route_table(platform);
      std::set<std::pair<std::uint32_t, std::uint32_t>> parts;
      for (std::uint32_t core = 0; core < 60; ++core) {
        const NodeIndex end = platform.end_of(1, core);
        REQUIRE(end / routes->ends_per_node() == 1);
        const auto [socket, interface] = routes->end_in_node(end % routes->ends_per_node());
        CHECK(socket == core * sockets / 60);
        CHECK(interface == core * interfaces / 60);
        parts.emplace(socket, interface);
      }
      CHECK(parts.size() == routes->ends_per_node());  // none twice
    }
}

TEST_CASE("interfaces: cores of a smaller node are divided among as many", "[platforms]") {
  const Platform platform = machine(
      R"({"groups": [{"count": 1, "cores": 8}, {"count": 1, "cores": 2}, {"count": 1, "cores": 1}]})",
      R"({"kind": "star"})",
      R"(, "interface": {"count": 2, "bandwidth": "1 GB/s", "latency": "0.5 us"})");
  CHECK(platform.end_of(0, 3) == 0);
  CHECK(platform.end_of(0, 4) == 1);
  CHECK(platform.end_of(1, 0) == 2);
  CHECK(platform.end_of(1, 1) == 3);
  CHECK(platform.end_of(2, 0) == 4);
}

TEST_CASE(
    "sockets: each has its own path, and another socket is reached over both and what is between",
    "[platforms]") {
  Platform platform = machine(R"({"count": 4, "cores": 4, "sockets": 1})", R"({"kind": "star"})");
  platform.nodes.sockets = 2;
  platform.inter_socket = {BytesPerSecond{5e9}, Seconds{0.1e-6}, Sharing::kShared};
  const auto routes = make_route_table(platform);
  CHECK(platform.end_of(1, 1) == 2);
  CHECK(platform.end_of(1, 2) == 3);
  CHECK(names(*routes, 2, 2) == "intra-node");
  CHECK(names(*routes, 2, 3) == "intra-node, inter-socket, intra-node");
  CHECK(route(*routes, 2, 3).latency.value == Approx(0.5e-6));
  CHECK(route(*routes, 2, 3).bandwidth == BytesPerSecond{5e9});
  CHECK(names(*routes, 2, 4) == "node up, node down");
  CHECK(route(*routes, 2, 4).links ==
        route(*routes, 3, 5).links);  // a node's sockets share its network
}

TEST_CASE("routes: a machine of 65536 nodes costs memory for its links alone", "[platforms]") {
  const auto routes = make_route_table(machine(
      R"({"count": 65536, "cores": 1})",
      R"({"kind": "torus", "dimensions": [{"size": 16}, {"size": 16}, {"size": 16}, {"size": 8}, {"size": 2}]})"));
  CHECK(routes->link_count() == 65536 + 2 * (4 * 65536 + 32768));
  CHECK(route(*routes, 0, 65535).links.size() == 5);
}

namespace {

Taper taper_of_levels(const std::string& levels) {
  const auto tree =
      machine(R"({"count": 4, "cores": 1})", R"({"kind": "fat_tree", "levels": [)" + levels + "]}");
  return taper_of(tree.network->topology).value();
}

}  // namespace

TEST_CASE("fat tree: oversubscription is the bandwidth down over that up", "[platforms]") {
  const auto two_to_one =
      taper_of_levels(R"({"down": 16, "up": 1}, {"down": 4, "up": 4, "parallel": 2})");
  CHECK(two_to_one.cables_per_node == 1);
  REQUIRE(two_to_one.levels.size() == 1);
  CHECK(two_to_one.levels[0].oversubscription() == 2);
  CHECK(taper_lines(two_to_one) ==
        std::vector<std::string>{"1 cable per node", "level 1: 16 nodes down, 8 cables up: 2:1"});
  CHECK(taper_remarks(two_to_one).empty());

  const auto faster = taper_of_levels(
      R"({"down": 16, "up": 1}, {"down": 4, "up": 8, "link": {"bandwidth": "4 GB/s"}}, {"down": 2, "up": 1})");
  CHECK(faster.levels[0].oversubscription() == 1);
  CHECK(faster.levels[1].oversubscription() == 8);
  CHECK(taper_lines(faster) ==
        std::vector<std::string>{"1 cable per node",
                                 "level 1: 16 nodes of 2 GB/s down, 8 cables of 4 GB/s up: 1:1",
                                 "level 2: 4 cables of 4 GB/s down, 1 cable of 2 GB/s up: 8:1"});
  CHECK(!taper_of(machine(R"({"count": 4, "cores": 1})", R"({"kind": "star"})").network->topology));
}

TEST_CASE("fat tree: several cables per node and levels that widen are remarked on",
          "[platforms]") {
  const auto cables =
      taper_remarks(taper_of_levels(R"({"down": 16, "up": 8}, {"down": 4, "up": 8})"));
  REQUIRE(cables.size() == 1);
  CHECK(cables[0].starts_with("every node has 8 cables: "));
  const auto widens =
      taper_remarks(taper_of_levels(R"({"down": 4, "up": 1}, {"down": 4, "up": 8})"));
  REQUIRE(widens.size() == 1);
  CHECK(widens[0].starts_with(
      "the switches of level 1 have more bandwidth upwards than their nodes can use (1:2)"));
}
