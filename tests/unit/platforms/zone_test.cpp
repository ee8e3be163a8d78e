// SPDX-License-Identifier: MIT
// SimGrid against closed forms: time of a message = route latency + bytes / max-min share, and nothing else.
#include "platforms/zones/zone.hpp"

#include <catch2/catch.hpp>
#include <simgrid/s4u.hpp>
#include <string>

#include "tests/unit/platforms/corpus.hpp"
#include "tests/unit/platforms/simulation.hpp"

using namespace reprise;
using namespace reprise::platforms;
namespace s4u = simgrid::s4u;

namespace {

struct Message {
  NodeIndex from, to;
  std::uint64_t bytes;
};

// When each of these messages arrives, all started at time 0.
std::vector<double> arrivals(const Platform& platform, const std::vector<Message>& messages,
                             LatencyPaidBy latency = LatencyPaidBy::kSimGrid) {
  return simulation::in_child([&] {
    s4u::Engine engine("test");
    configure_simgrid();
    const auto routes = make_route_table(platform);
    const Zone zone = build_zone(platform, *routes, latency);
    std::vector<double> times(messages.size(), -1);
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const Message message = messages[i];
      s4u::Actor::create(
          "sender " + std::to_string(i), zone.hosts[message.from], [&times, &zone, message, i] {
            s4u::Comm::sendto(zone.hosts[message.from], zone.hosts[message.to], message.bytes);
            times[i] = s4u::Engine::get_clock();
          });
    }
    engine.run();
    return times;
  });
}

Platform star() {
  return corpus::platform("accepted/star.json");
}  // links 12.5 GB/s, 0.6 us; memory 10 GB/s, 0.2 us

Approx exactly(double time) { return Approx(time).epsilon(1e-9).margin(0); }

}  // namespace

TEST_CASE("zone: a message alone takes the route's latency and its bytes over the bandwidth",
          "[physics]") {
  for (const std::uint64_t bytes :
       {std::uint64_t{1}, std::uint64_t{1000}, std::uint64_t{1} << 20, std::uint64_t{1} << 34}) {
    const auto times = arrivals(star(), {{0, 1, bytes}});
    REQUIRE(times.size() == 1);
    CHECK(times[0] == exactly(2 * 0.6e-6 + static_cast<double>(bytes) / 12.5e9));
  }
}

TEST_CASE("zone: a message inside a node takes the node's own path", "[physics]") {
  const auto times = arrivals(star(), {{2, 2, 1000000}});
  REQUIRE(times.size() == 1);
  CHECK(times[0] == exactly(0.2e-6 + 1e6 / 10e9));
}

TEST_CASE("zone: two messages to one node get half of its link each", "[physics]") {
  const auto times = arrivals(star(), {{0, 2, 1000000}, {1, 2, 1000000}});
  REQUIRE(times.size() == 2);
  CHECK(times[0] == exactly(1.2e-6 + 1e6 / 6.25e9));
  CHECK(times[1] == exactly(1.2e-6 + 1e6 / 6.25e9));
}

TEST_CASE("zone: when the shorter of two messages is through, the longer has the link alone",
          "[physics]") {
  // Both at half the rate until 2e6 bytes are through; the other 2e6 bytes of the longer one at the full rate.
  const auto times = arrivals(star(), {{0, 2, 1000000}, {1, 2, 3000000}});
  REQUIRE(times.size() == 2);
  CHECK(times[0] == exactly(1.2e-6 + 2e6 / 12.5e9));
  CHECK(times[1] == exactly(1.2e-6 + 4e6 / 12.5e9));
}

TEST_CASE("zone: both directions of a full-duplex link run at full rate", "[physics]") {
  const auto times = arrivals(star(), {{0, 1, 1000000}, {1, 0, 1000000}});
  REQUIRE(times.size() == 2);
  CHECK(times[0] == exactly(1.2e-6 + 1e6 / 12.5e9));
  CHECK(times[1] == exactly(1.2e-6 + 1e6 / 12.5e9));
}

TEST_CASE("zone: both directions of a half-duplex link share it", "[physics]") {
  Platform platform = star();
  platform.network->link.sharing = Sharing::kShared;
  const auto times = arrivals(platform, {{0, 1, 1000000}, {1, 0, 1000000}});
  REQUIRE(times.size() == 2);
  CHECK(times[0] == exactly(1.2e-6 + 2e6 / 12.5e9));
  CHECK(times[1] == exactly(1.2e-6 + 2e6 / 12.5e9));
}

TEST_CASE("zone: on uncontended links every message has the whole bandwidth", "[physics]") {
  Platform tree = corpus::platform("accepted/fat_tree.json");
  tree.network->link.sharing = Sharing::kUncontended;
  for (FatTree::Level& level : std::get<FatTree>(tree.network->topology).levels)
    level.link = tree.network->link;
  for (const Platform& platform : {corpus::platform("accepted/uncontended_network.json"), tree}) {
    const auto times = arrivals(platform, {{0, 1, 1000000}, {0, 1, 1000000}, {0, 1, 1000000}});
    REQUIRE(times.size() == 3);
    for (const double time : times) CHECK(time == exactly(1.2e-6 + 1e6 / 12.5e9));
  }
}

TEST_CASE("zone: near and far senders share equally where the caller pays the latency",
          "[physics]") {
  // System: node 1 (one switch away) and node 2 (three) send to node 0; they share node 0's link down.
  // Expectation: half each where links have no latency. SimGrid weighs flows by 1/latency where they have: the near one,
  // with half of the far one's latency, gets two thirds.
  const Platform tree = corpus::platform("accepted/fat_tree.json");
  const std::vector<Message> messages{{1, 0, 1000000}, {2, 0, 1000000}};
  const auto equal = arrivals(tree, messages, LatencyPaidBy::kCaller);
  REQUIRE(equal.size() == 2);
  CHECK(equal[0] == exactly(2e6 / 12.5e9));
  CHECK(equal[1] == exactly(2e6 / 12.5e9));
  const auto weighted = arrivals(tree, messages, LatencyPaidBy::kSimGrid);
  REQUIRE(weighted.size() == 2);
  CHECK(weighted[0] == Approx(1.2e-6 + 1.5e6 / 12.5e9).epsilon(0.01));
}

TEST_CASE("zone: a level's own bandwidth and latency are SimGrid's too", "[physics]") {
  Platform platform = corpus::platform("accepted/every_key.json");
  std::get<FatTree>(platform.network->topology).levels[1].link.bandwidth = BytesPerSecond{1e9};
  const auto times = arrivals(platform, {{0, 2, 1000000}});
  REQUIRE(times.size() == 1);
  CHECK(times[0] == exactly(2 * 0.6e-6 + 2 * 90e-9 + 1e6 / 1e9));
}

TEST_CASE("zone: two hundred messages into one node share its link to the last byte", "[physics]") {
  Platform platform = star();
  platform.nodes.count = 201;
  std::vector<Message> messages;
  for (NodeIndex sender = 1; sender <= 200; ++sender) messages.push_back({sender, 0, 100000});
  const auto times = arrivals(platform, messages);
  REQUIRE(times.size() == 200);
  for (const double time : times) CHECK(time == exactly(1.2e-6 + 200 * 1e5 / 12.5e9));
}
