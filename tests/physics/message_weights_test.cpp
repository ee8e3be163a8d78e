// SPDX-License-Identifier: MIT
// Messages that share links in inverse proportion to their routes' latency, in closed form.
#include "sim/network/message_weights.hpp"

#include <span>
#include <vector>

#include "sim/network/network_model.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/random_transfers.hpp"

namespace reprise::test {
namespace {

constexpr double kBytes = 1e6;
constexpr std::uint64_t kNear = 1, kFar = 2;

// Two switches with two nodes each; routes inside a switch have the latency L, the others 2 L.
platforms::Platform tree(platforms::LatencyWeights weights = {}) {
  platforms::Platform machine = fat_tree(2, 2);
  machine.network->latency_weights = weights;
  return machine;
}

sim::Network::Transfer transfer(platforms::NodeIndex from, platforms::NodeIndex to, double start,
                                std::uint64_t id) {
  return {from,
          to,
          Bytes{static_cast<std::uint64_t>(kBytes)},
          Seconds{start},
          sim::Network::Head::kTravels,
          id};
}

// By their numbers.
std::map<sim::EventId, double> tails(const platforms::Platform& machine,
                                     const std::vector<sim::Network::Transfer>& transfers,
                                     const sim::NetworkModel& model = sim::kFlowNetwork,
                                     std::span<const sim::LinkChange> changes = {}) {
  const auto network = model.make(machine, {{}, changes});
  for (const auto& one : transfers) network->start_transfer(one);
  Arrival arrival(*network);
  network->run(arrival);
  return arrival.tails;
}

// To node 1 from its neighbour and from the other switch: their bytes meet on its link from the time 2 L on.
std::vector<sim::Network::Transfer> near_and_far() {
  return {transfer(0, 1, kLatency, kNear), transfer(2, 1, 0, kFar)};
}

}  // namespace

// System: two messages of n bytes on one link of bandwidth B, over routes of latency L and 2 L.
// Expectation: shares of 2 B/3 and B/3. The near one is through after 3 n/2B, when the far one has n/2 left, which go at B.
TEST_CASE("message weights: shares of a link are inverse to the latency of the routes",
          "[physics]") {
  const auto ends = tails(tree(), near_and_far());
  CHECK(ends.at(kNear) == near(2 * kLatency + 1.5 * kBytes / kBandwidth));
  CHECK(ends.at(kFar) == near(2 * kLatency + 2 * kBytes / kBandwidth));
}

TEST_CASE("message weights: without them shares are even", "[physics]") {
  const auto ends = tails(fat_tree(2, 2), near_and_far());
  CHECK(ends.at(kNear) == near(2 * kLatency + 2 * kBytes / kBandwidth));
  CHECK(ends.at(kFar) == near(2 * kLatency + 2 * kBytes / kBandwidth));
}

// System: the same, and cables between the switches that are three times as wide.
// Expectation: penalties p = L + 2 S/B and 2 L + 2 S/B + 2 S/3B; shares B/p over the sum of 1/p.
TEST_CASE("message weights: weight_s adds to the latency of each link what it takes there",
          "[physics]") {
  constexpr std::uint64_t kWeightS = 2000;
  platforms::Platform machine = tree({Bytes{kWeightS}, {}});
  auto& levels = std::get<platforms::FatTree>(machine.network->topology).levels;
  levels[1].link.bandwidth = BytesPerSecond{3 * kBandwidth};
  const double s = kWeightS / kBandwidth, near_penalty = kLatency + 2 * s,
               far_penalty = 2 * kLatency + 2 * s + 2 * s / 3;
  const double near_share = far_penalty / (near_penalty + far_penalty);
  const auto ends = tails(machine, near_and_far());
  CHECK(ends.at(kNear) == near(2 * kLatency + kBytes / (kBandwidth * near_share)));
  CHECK(ends.at(kFar) == near(2 * kLatency + 2 * kBytes / kBandwidth));
}

// System: one message, alone, and a window of W bytes. Expectation: at most W / 2 L bytes a second, on the longer route half of that; in
// all networks that know flows, and where nothing is shared.
TEST_CASE("message weights: a TCP window bounds a message that is alone", "[physics]") {
  constexpr double kWindow = 1000;  // W / 2 L = B / 4
  const platforms::Platform machine = tree({Bytes{}, Bytes{static_cast<std::uint64_t>(kWindow)}});
  for (const auto* model : {&sim::kFlowNetwork, &sim::kFluidNetwork, &sim::kUncontendedNetwork}) {
    CHECK(tails(machine, {transfer(0, 1, 0, 1)}, *model).at(1) ==
          near(kLatency + kBytes * 2 * kLatency / kWindow));
    CHECK(tails(machine, {transfer(2, 1, 0, 1)}, *model).at(1) ==
          near(2 * kLatency + kBytes * 4 * kLatency / kWindow));
  }
}

// System: near and far again, the window so that the near one could have B/4: it leaves the far one 3/4, of which that takes its own bound of B/8.
TEST_CASE("message weights: what a window lets through may be less than a share", "[physics]") {
  const auto ends = tails(tree({Bytes{}, Bytes{1000}}), near_and_far());
  CHECK(ends.at(kNear) == near(2 * kLatency + 4 * kBytes / kBandwidth));
  CHECK(ends.at(kFar) == near(2 * kLatency + 8 * kBytes / kBandwidth));
}

// System: inside a node routes have no latency. Expectation: SimGrid's penalty of one second for all of them, so they share evenly.
TEST_CASE("message weights: messages on routes without latency weigh the same", "[physics]") {
  platforms::Platform machine = star(2, 2);
  machine.network->latency_weights.emplace();
  machine.intra_node.latency = Seconds{};
  const auto ends = tails(machine, {transfer(0, 0, 0, 1), transfer(0, 0, 0, 2)});
  CHECK(ends.at(1) == near(2 * kBytes / kNodeBandwidth));
  CHECK(ends.at(2) == near(2 * kBytes / kNodeBandwidth));
}

// System: near and far again; when both have flowed for n/B, the latency of the near one's first link becomes three times as long.
// Expectation: by then the near one has moved 2 n/3, the far one n/3; from then on both weigh 1/2 L, so that the near one's n/3 take 2 n/3B.
TEST_CASE("message weights: a change of a latency changes the shares from then on", "[physics]") {
  sim::LinkChange longer;
  longer.links = "level 1 up";
  longer.cables = sim::parse_ranges("0", "test");
  longer.when.from = 2 * kLatency + kBytes / kBandwidth;
  longer.latency = 3;
  const auto ends = tails(tree(), near_and_far(), sim::kFlowNetwork, {&longer, 1});
  CHECK(ends.at(kNear) == near(2 * kLatency + (1 + 2. / 3) * kBytes / kBandwidth));
  CHECK(ends.at(kFar) == near(2 * kLatency + 2 * kBytes / kBandwidth));
}

}  // namespace reprise::test
