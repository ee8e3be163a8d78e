// SPDX-License-Identifier: MIT
// Each topology against formula: one message's time, sharing of a common link, and what passes between two halves of the machine.
#include <string>
#include <vector>

#include "platforms/path.hpp"
#include "sim/network/network_model.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {
namespace {

using platforms::NodeIndex;
using platforms::Platform;

platforms::LinkSpec link_of(double bandwidth, double latency = 0) {
  return {BytesPerSecond{bandwidth}, Seconds{latency}};
}

Platform machine(std::uint32_t nodes, decltype(platforms::Network::topology) topology,
                 const platforms::LinkSpec& link) {
  Platform platform = star(nodes);
  platform.network->topology = std::move(topology);
  platform.network->link = link;
  return platform;
}

Platform torus_of(const std::vector<std::uint32_t>& sizes, const platforms::LinkSpec& link) {
  platforms::Torus torus;
  std::uint32_t nodes = 1;
  for (const auto size : sizes) {
    torus.dimensions.push_back({size, link});
    nodes *= size;
  }
  return machine(nodes, torus, link);
}

struct Pair {
  NodeIndex from, to;
};

struct LastTail final : sim::NetworkListener {
  explicit LastTail(sim::Network& its) : network(its) {}
  void on_head(sim::EventId) override {}
  void on_tail(sim::EventId) override { last = network.now().value; }
  void on_delay_end(sim::EventId) override {}
  sim::Network& network;
  double last = 0;
};

// Until every pair has passed on so many bytes, all at once.
double time_of(const Platform& platform, const std::vector<Pair>& pairs, std::uint64_t bytes) {
  const auto network = sim::kFlowNetwork.make(platform, {});
  sim::EventId id = 0;
  for (const Pair& pair : pairs)
    network->start_transfer(
        {pair.from, pair.to, Bytes{bytes}, Seconds{}, sim::Network::Head::kTravels, id++});
  LastTail listener(*network);
  network->run(listener);
  return listener.last;
}

// Everybody in the one half to everybody in the other.
template <class IsFirst>
std::vector<Pair> across(std::uint32_t nodes, IsFirst is_first) {
  std::vector<Pair> pairs;
  for (NodeIndex from = 0; from < nodes; ++from)
    for (NodeIndex to = 0; to < nodes; ++to)
      if (is_first(from) && !is_first(to)) pairs.push_back({from, to});
  return pairs;
}

// Bytes per second over all pairs.
double throughput(const Platform& platform, const std::vector<Pair>& pairs) {
  constexpr std::uint64_t kBytes = 1'000'000;
  return static_cast<double>(pairs.size() * kBytes) / time_of(platform, pairs, kBytes);
}

constexpr double kB = 1e9;

// Two levels of 8 switches with 4 nodes each below as many switches as UP, PARALLEL cables to each.
Platform tree(std::uint32_t up, std::uint32_t parallel = 1, double spine = kB) {
  return machine(32,
                 platforms::FatTree{{{4, 1, 1, link_of(kB)}, {8, up, parallel, link_of(spine)}}},
                 link_of(kB));
}

// FOUR groups of 4 routers with 2 nodes each, whose global cables are the narrow ones.
Platform dragonfly(std::uint32_t groups, std::uint32_t cables) {
  return machine(
      groups * 8,
      platforms::Dragonfly{groups, 4, 2, cables, link_of(100 * kB), link_of(100 * kB), link_of(kB)},
      link_of(kB));
}

// Rows of routers with 2 nodes each, whose cables between routers are the narrow ones.
Platform hyperx(const std::vector<std::uint32_t>& sizes, std::uint32_t parallel) {
  platforms::HyperX hyperx{{}, 2, link_of(100 * kB)};
  for (const auto size : sizes) hyperx.dimensions.push_back({size, parallel, link_of(kB)});
  const auto nodes = static_cast<std::uint32_t>(hyperx.room());
  return machine(nodes, std::move(hyperx), link_of(kB));
}

}  // namespace

TEST_CASE("topologies: a message alone takes its path's time, eager and by rendezvous",
          "[physics]") {
  const auto link = link_of(2e9, 0.7e-6);
  Platform fly = machine(
      32, platforms::Dragonfly{4, 4, 2, 2, link_of(3e9, 0.2e-6), link, link_of(1e9, 1e-6)}, link);
  Platform sockets = star(4, 8);
  sockets.nodes.sockets = 2;
  sockets.inter_socket = link_of(5e9, 0.4e-6);
  sockets.network->interface = platforms::NetworkInterface{2, link_of(0.5e9, 0.3e-6)};
  for (const auto& platform :
       {star(8), fat_tree(4, 4), torus_of({4, 3, 2}, link), fly, hyperx({4, 3}, 2), sockets}) {
    const auto routes = platforms::make_route_table(platform);
    for (const std::uint32_t to : {1U, 3U, platform.nodes.count * platform.nodes.cores - 1}) {
      const platforms::Path path(platform, *routes, {0, 0},
                                 {to / platform.nodes.cores, to % platform.nodes.cores});
      for (const std::uint64_t bytes : {0U, 1000U, 1000000U}) {
        const std::string size = std::to_string(bytes), rank = std::to_string(to);
        const auto outcome =
            simulate_calls(static_cast<int>(to) + 1,
                           "ranks 0: MPI_Send peer=" + rank + " bytes=" + size + "\nranks " + rank +
                               ": MPI_Recv peer=0 bytes=" + size,
                           platform);
        CHECK(finish(outcome, static_cast<int>(to)) == near(path.message_time(Bytes{bytes}).value));
      }
    }
  }
}

TEST_CASE("topologies: two messages over one link have half of it each, over two links all of each",
          "[physics]") {
  constexpr std::uint64_t kBytes = 1'000'000;
  const double alone = kBytes / kB;
  const auto ring = torus_of({6}, link_of(kB));
  CHECK(time_of(ring, {{0, 2}, {1, 2}}, kBytes) == near(2 * alone));     // 1 to 2 is common
  CHECK(time_of(ring, {{0, 2}, {3, 2}}, kBytes) == near(alone));         // from both sides
  CHECK(time_of(tree(4), {{0, 4}, {1, 4}}, kBytes) == near(2 * alone));  // the receiver's own link
  CHECK(time_of(tree(4), {{0, 4}, {1, 5}}, kBytes) == near(alone));      // two spine switches
  CHECK(time_of(tree(4), {{0, 4}, {1, 8}}, kBytes) ==
        near(2 * alone));  // 4 and 8 have one spine switch: 0 modulo 4
  CHECK(time_of(dragonfly(2, 2), {{0, 8}, {1, 10}}, kBytes) ==
        near(2 * alone));  // one global cable: 0 modulo 2
  CHECK(time_of(dragonfly(2, 2), {{0, 8}, {1, 9}}, kBytes) == near(alone));
}

// Bisection of N nodes: N/2 links of the nodes where nothing is tapered, and the taper's share of it.
TEST_CASE("fat tree: bisection bandwidth is N/2 links times the taper", "[physics]") {
  const auto pairs = across(32, [](NodeIndex node) { return node < 16; });
  CHECK(throughput(tree(4), pairs) == near(16 * kB));             // full
  CHECK(throughput(tree(2), pairs) == near(16 * kB / 2));         // 2 : 1
  CHECK(throughput(tree(1), pairs) == near(16 * kB / 4));         // 4 : 1
  CHECK(throughput(tree(2, 2), pairs) == near(16 * kB));          // two cables to each of two
  CHECK(throughput(tree(2, 1, 2 * kB), pairs) == near(16 * kB));  // or twice as fast ones
}

TEST_CASE("fat tree: a shift permutation gets every node its whole link", "[physics]") {
  for (const NodeIndex shift : {1U, 4U, 5U, 16U, 31U}) {
    std::vector<Pair> pairs;
    for (NodeIndex node = 0; node < 32; ++node) pairs.push_back({node, (node + shift) % 32});
    CHECK(throughput(tree(4), pairs) == near(32 * kB));
  }
}

// System: k × k, halved across x, k = 2h. Each of the k rows has one cable in the middle and one round the back. Of the h² pairs of columns
// h(h+1)/2 go through the middle, those half-way round among them, which all take the rising way; the rest go round. So
// the middle cable is the narrow one, and its share of the traffic (h+1)/2h decides: k·B / ((h+1)/2h).
TEST_CASE("torus: bisection bandwidth is that of the middle cables over their share of the traffic",
          "[physics]") {
  for (const std::uint32_t h : {2U, 3U}) {
    const std::uint32_t k = 2 * h;
    const auto pairs = across(k * k, [&](NodeIndex node) { return node % k < h; });
    CHECK(throughput(torus_of({k, k}, link_of(kB)), pairs) == near(k * kB * 2 * h / (h + 1)));
  }
}

// The formula's 2·k·B is reached where no pair is half-way round: neighbours across both cuts.
TEST_CASE("torus: neighbours across the cut have all of its 2k cables", "[physics]") {
  constexpr std::uint32_t kSize = 6;
  std::vector<Pair> pairs;
  for (NodeIndex row = 0; row < kSize; ++row) {
    pairs.push_back({row * kSize + 2, row * kSize + 3});
    pairs.push_back({row * kSize, row * kSize + 5});
  }
  CHECK(throughput(torus_of({kSize, kSize}, link_of(kB)), pairs) == near(2 * kSize * kB));
}

// g groups with c cables between each two: a half has (g/2)² · c of them to the other.
TEST_CASE("dragonfly: bisection bandwidth is that of the global cables between the halves",
          "[physics]") {
  for (const std::uint32_t groups : {2U, 4U})
    for (const std::uint32_t cables : {1U, 2U, 4U}) {
      const auto pairs = across(groups * 8, [&](NodeIndex node) { return node < groups * 4; });
      CHECK(throughput(dragonfly(groups, cables), pairs) ==
            near(groups * groups / 4.0 * cables * kB));
    }
}

// S routers in a row, halved across it: (S/2)² pairs of routers with K cables each, in every one of the R rows.
TEST_CASE("HyperX: bisection bandwidth is that of the cables between the halves of each row",
          "[physics]") {
  for (const std::uint32_t parallel : {1U, 2U}) {
    const auto row = across(8, [](NodeIndex node) { return node < 4; });
    CHECK(throughput(hyperx({4}, parallel), row) == near(4.0 * parallel * kB));
    // Two dimensions: what leaves a half in x takes its x cable first, whatever its y; y's cables carry a share of it.
    const auto plane = across(24, [](NodeIndex node) { return node / 2 % 4 < 2; });
    CHECK(throughput(hyperx({4, 3}, parallel), plane) == near(3 * 4.0 * parallel * kB));
  }
}

// Both directions of a half-duplex cable are one: each direction gets half of it.
TEST_CASE("topologies: a bisection of shared cables carries both directions together",
          "[physics]") {
  auto pairs = across(32, [](NodeIndex node) { return node < 16; });
  const auto back = across(32, [](NodeIndex node) { return node >= 16; });
  pairs.insert(pairs.end(), back.begin(), back.end());
  CHECK(throughput(tree(4), pairs) == near(32 * kB));
  Platform shared = tree(4);
  auto& network = *shared.network;
  network.link.sharing = platforms::Sharing::kShared;
  for (auto& level : std::get<platforms::FatTree>(network.topology).levels)
    level.link.sharing = platforms::Sharing::kShared;
  CHECK(throughput(shared, pairs) == near(16 * kB));
}

}  // namespace reprise::test
