// SPDX-License-Identifier: MIT
// Which links a change names, what their factors are over time, and which changes a message has met.
#include "sim/network/link_conditions.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "platforms/load.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::test {
namespace {

using Links = std::vector<platforms::LinkIndex>;

sim::LinkChange slower(const std::string& links, double bandwidth, sim::TimeSpan when,
                       double latency = 1) {
  return {"s", links, {}, when, bandwidth, latency};
}

// The links that routes from and to these nodes begin and end with.
Links ends_of(const platforms::RouteTable& routes, platforms::NodeIndex node,
              platforms::NodeIndex other) {
  platforms::Route out, in;
  routes.find_route(node, other, out);
  routes.find_route(other, node, in);
  Links links{out.links.front(), in.links.back()};
  std::sort(links.begin(), links.end());
  return links;
}

std::string refusal(const platforms::Platform& machine, const sim::LinkChange& change) {
  try {
    sim::links_named(*platforms::make_route_table(machine), change);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("link conditions: a node's links are those that its routes begin and end with",
          "[physics]") {
  auto machine = star(3, 2);
  const auto routes = platforms::make_route_table(machine);
  CHECK(links_named(*routes, slower("node:1", 0.5, {})) == ends_of(*routes, 1, 0));
  CHECK(links_named(*routes, slower("node:0-2", 0.5, {})).size() == 6);
  CHECK(links_named(*routes, slower("node:0,2", 0.5, {})).size() == 4);
  CHECK(links_named(*platforms::make_route_table(star(2)), slower("node:1", 0.5, {})).size() == 2);
  machine.nodes.sockets = 2;  // routes are numbered by sockets
  const auto by_socket = platforms::make_route_table(machine);
  CHECK(links_named(*by_socket, slower("node:1", 0.5, {})) == ends_of(*by_socket, 2, 0));
  machine.network->interface = platforms::NetworkInterface{2, machine.network->link};
  const auto by_interface = platforms::make_route_table(machine);
  const Links of_one = links_named(*by_interface, slower("node:1", 0.5, {}));
  CHECK(of_one.size() == 6);  // two interfaces and a cable, out and in
  for (const platforms::LinkIndex link : of_one)
    if (const auto interface = by_interface->interface_of(link)) CHECK(interface->node == 1);
}

TEST_CASE("link conditions: a class of links, those of a cable, and some of them by number",
          "[physics]") {
  const auto routes = platforms::make_route_table(star(3));
  const Links up = links_named(*routes, slower("node up", 0.5, {}));
  REQUIRE(up.size() == 3);
  CHECK(links_named(*routes, slower("node", 0.5, {})).size() == 6);
  auto some = slower("node up", 0.5, {});
  some.cables = {{1, 2}};
  CHECK(links_named(*routes, some) == Links{up[1], up[2]});
}

TEST_CASE("link conditions: links of a tree by the names of files and of reports", "[physics]") {
  const auto routes =
      platforms::make_route_table(platforms::parse_platform(platforms::parse_document(
          R"({"format": 1, "name": "m", "source": "a test", "nodes": {"count": 4, "cores": 1},
          "intra_node": {"bandwidth": "10 GB/s", "latency": "0 s"},
          "mpi": {"eager_limit": "64 KiB", "send_overhead": "0 s", "recv_overhead": "0 s"},
          "network": {"link": {"bandwidth": "1 GB/s", "latency": "1 us"},
            "topology": {"kind": "fat_tree", "levels": [{"down": 2, "up": 1}, {"down": 2, "up": 3}]}}})",
          "m.json")));
  const auto named = [&](const char* name) { return links_named(*routes, slower(name, 0.5, {})); };
  CHECK(named("node").size() == 8);
  CHECK(named("level 1") == named("node"));
  CHECK(named("spine").size() == 12);
  CHECK(named("level 2") == named("spine"));
  CHECK(named("level 2 up").size() == 6);
  CHECK(named("spine up") == named("level 2 up"));
  CHECK(named("node down") == named("level 1 down"));
}

TEST_CASE("link conditions: links that there are not, in whole texts", "[physics]") {
  CHECK(refusal(star(1), slower("node:0", 0.5, {})) == "s/link: the platform has no network");
  CHECK(refusal(star(3), slower("node:3", 0.5, {})) ==
        "s/link: node 3 is not among the platform's 3 nodes");
  CHECK(refusal(star(3), slower("spine", 0.5, {})) ==
        "s/link: the platform has no links \"spine\"\n"
        "  there are: intra-node, node, node up, node down, and node:N");
  auto third = slower("node up", 0.5, {});
  third.cables = {{0, 3}};
  CHECK(refusal(star(3), third) ==
        "s/cables: number 3 is not among the 3 links \"node up\"\n  they are numbered from 0");
}

// System: node 0's link up halves its bandwidth from 1 s to 3 s; all links up have thrice the latency, and half the bandwidth, from 2 s on.
TEST_CASE("link conditions: what holds at one time multiplies, link by link", "[physics]") {
  const auto routes = platforms::make_route_table(star(2));
  const Links up = links_named(*routes, slower("node up", 1, {})),
              down = links_named(*routes, slower("node down", 1, {}));
  auto first = slower("node up", 0.5, {1, 3});
  first.cables = {{0, 0}};
  const std::vector<sim::LinkChange> changes{first, slower("node up", 0.5, {2}, 3),
                                             slower("node", 1, {1, 2})};
  sim::LinkConditions conditions(*routes, changes);
  REQUIRE_FALSE(conditions.empty());
  const auto bandwidths = [&](platforms::LinkIndex link) {
    std::vector<double> factors;
    for (const double time : {0.5, 1.0, 2.0, 3.0})
      factors.push_back(conditions.bandwidth_at(link, time));
    return factors;
  };
  CHECK(bandwidths(up[0]) == std::vector<double>{1, 0.5, 0.25, 0.5});
  CHECK(bandwidths(up[1]) == std::vector<double>{1, 1, 0.5, 0.5});
  CHECK(conditions.bandwidth(down[0]) == nullptr);
  CHECK(conditions.latency_at(up[0], 1.9) == 1);
  CHECK(conditions.latency_at(up[0], 2) == 3);
  CHECK(conditions.latency_at(down[0], 2) == 1);
  // Of the route 0 → 1: half of the latency is the link up's.
  const Links route{up[0], down[1]};
  CHECK(conditions.latency(route, 0) == near(kLatency));
  CHECK(conditions.latency(route, 2) == near(2 * kLatency));
  // Bytes for 1 s at full bandwidth, from 0.5 s on: half by 1 s, the rest at half of it. Then a quarter from 2 s on.
  CHECK(conditions.end(route, 0.5, kBandwidth) == near(2));
  CHECK(conditions.end(route, 1, kBandwidth) == near(3.5));
  std::vector<std::pair<double, platforms::LinkIndex>> turns, expected{{1, up[0]}};
  for (const auto& turn : conditions.turns()) turns.emplace_back(turn.time, turn.link);
  for (const auto link : up) expected.emplace_back(2, link);
  expected.emplace_back(3, up[0]);
  CHECK(turns == expected);
}

TEST_CASE("link conditions: a change is met by a message on its links while it holds",
          "[physics]") {
  const auto routes = platforms::make_route_table(star(2));
  const Links up = links_named(*routes, slower("node up", 1, {})),
              down = links_named(*routes, slower("node down", 1, {}));
  const std::vector<sim::LinkChange> changes{slower("node up", 0.5, {1, 2}),
                                             slower("node up", 1, {1, 2}),
                                             slower("node down", 0.5, {1, 2})};
  using Places = std::vector<std::size_t>;
  sim::LinkConditions conditions(*routes, changes);
  CHECK(conditions.unmet() == Places{0, 2});  // one without effect is not waited for
  conditions.note(up, 0, 0.9);
  conditions.note(up, 2, 3);
  CHECK(conditions.unmet() == Places{0, 2});
  conditions.note(up, 0.5, 1);
  CHECK(conditions.unmet() == Places{2});
  conditions.note(down, 1.9, 3);
  CHECK(conditions.unmet().empty());
  const std::vector<sim::LinkChange> none{slower("node up", 1, {1, 2})};
  CHECK(sim::LinkConditions(*routes, none).empty());
}

}  // namespace reprise::test
