// SPDX-License-Identifier: MIT
// The flow network and its solver, which is compared with progressive filling from scratch (with SimGrid's: simgrid_network_test.cpp).
#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "sim/network/max_min_shares.hpp"
#include "sim/network/network_model.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/random_transfers.hpp"

namespace reprise::test {
namespace {

struct TestFlow {
  std::vector<std::uint32_t> links;
  double bound;
  double weight = 1;
};
using Flows = std::map<std::uint32_t, TestFlow>;

// All flows grow together, each by its weight; who meets a full link or the own bound stops.
std::map<std::uint32_t, double> rates_from_scratch(const Flows& flows, std::vector<double> left) {
  std::map<std::uint32_t, double> rates;
  while (rates.size() < flows.size()) {
    std::vector<double> waiting(left.size(), 0);
    for (const auto& [id, flow] : flows)
      if (!rates.count(id))
        for (const auto link : flow.links) waiting[link] += flow.weight;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t link = 0; link < left.size(); ++link)
      if (waiting[link] > 0) least = std::min(least, left[link] / waiting[link]);
    for (const auto& [id, flow] : flows)
      if (!rates.count(id)) least = std::min(least, flow.bound / flow.weight);
    std::vector<std::uint32_t> stopped;
    for (const auto& [id, flow] : flows) {
      if (rates.count(id)) continue;
      bool stops = flow.bound / flow.weight <= least * (1 + 1e-13);
      for (const auto link : flow.links)
        stops = stops || left[link] / waiting[link] <= least * (1 + 1e-13);
      if (stops) stopped.push_back(id);
    }
    for (const auto id : stopped) {
      rates[id] = least * flows.at(id).weight;
      for (const auto link : flows.at(id).links) left[link] -= rates[id];
    }
  }
  return rates;
}

void compare_with_scratch(unsigned seed, std::size_t links, std::size_t most_flows,
                          std::size_t most_links_a_flow, bool equal_links,
                          std::size_t most_weight = 1) {
  std::mt19937 random(seed);
  const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::vector<double> capacities(links);
  sim::MaxMinShares shares(links);
  for (std::uint32_t l = 0; l < links; ++l) {
    capacities[l] = equal_links ? 1e9 : 1e8 * static_cast<double>(1 + below(100));
    shares.set_capacity(l, capacities[l]);
  }
  Flows flows;
  std::map<std::uint32_t, double> told;
  for (int step = 0; step < 400; ++step) {
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
      const auto id = static_cast<std::uint32_t>(below(most_flows));
      if (flows.erase(id) > 0) {
        shares.leave(id);
        told.erase(id);
        continue;
      }
      TestFlow flow{{},
                    below(3) == 0 ? 1e7 * static_cast<double>(1 + below(100))
                                  : std::numeric_limits<double>::infinity(),
                    1e5 * static_cast<double>(1 + below(most_weight))};
      if (most_weight == 1) flow.weight = 1;
      for (std::size_t n = 1 + below(most_links_a_flow); n > 0; --n) {
        const auto link = static_cast<std::uint32_t>(below(links));
        if (std::find(flow.links.begin(), flow.links.end(), link) == flow.links.end())
          flow.links.push_back(link);
      }
      shares.enter(id, flow.links, flow.bound, flow.weight);
      flows[id] = flow;
    }
    if (below(4) == 0) {  // what a degraded link does
      const auto link = static_cast<std::uint32_t>(below(links));
      capacities[link] = 1e8 * static_cast<double>(1 + below(100));
      shares.change_capacity(link, capacities[link]);
    }
    if (!flows.empty() && below(4) == 0) {
      auto& [id, flow] =
          *std::next(flows.begin(), static_cast<std::ptrdiff_t>(below(flows.size())));
      flow.bound = 1e7 * static_cast<double>(1 + below(100));
      if (most_weight > 1) flow.weight = 1e5 * static_cast<double>(1 + below(most_weight));
      shares.change_limits(id, flow.bound, flow.weight);
    }
    shares.settle([&told](std::uint32_t flow, double rate) { told[flow] = rate; });
    for (const auto& [id, rate] : rates_from_scratch(flows, capacities)) {
      REQUIRE(told.count(id) == 1);
      REQUIRE(told[id] == Approx(rate).epsilon(1e-9).margin(1e-3));
    }
  }
}

}  // namespace

TEST_CASE("max_min_shares: rates are those of filling from scratch after any changes",
          "[physics]") {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    compare_with_scratch(seed, 12, 20, 3, false);
    compare_with_scratch(seed, 12, 20, 2, true);
    compare_with_scratch(seed, 60, 40, 4, false);
  }
}

TEST_CASE("max_min_shares: rates are those of filling from scratch where flows have weights",
          "[physics]") {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    compare_with_scratch(seed, 12, 20, 3, false, 2);
    compare_with_scratch(seed, 12, 20, 2, true, 50);
    compare_with_scratch(seed, 60, 40, 4, false, 10);
  }
}

TEST_CASE("flow network: a process can simulate with it any number of times", "[physics]") {
  const auto first = sim::kFlowNetwork.make(star(8), {}),
             second = sim::kFlowNetwork.make(star(8), {});
  CHECK(tails_of(*first, 7, 8) == tails_of(*second, 7, 8));
}

// System: a message of 1 MB; its sender's link, and no other, has half its bandwidth once half of the bytes are through.
// Expectation: the other half takes twice as long.
TEST_CASE("flow network: the first change of a link counts, of one link alone, too", "[physics]") {
  sim::LinkChange slower;
  slower.links = "node up";
  slower.cables = sim::parse_ranges("0", "test");
  slower.when.from = kLatency + 0.5e6 / kBandwidth;
  slower.bandwidth = 0.5;
  const auto network = sim::kFlowNetwork.make(star(2), {{}, {&slower, 1}});
  network->start_transfer({0, 1, Bytes{1000000}, Seconds{0}, sim::Network::Head::kTravels, 7});
  Arrival arrival(*network);
  network->run(arrival);
  CHECK(arrival.tails[7] == near(kLatency + 1.5e6 / kBandwidth));
}

// System: two messages on links that nobody contends for; the small one is through when they become slower.
// Expectation: each tail comes once; the large one's second half takes twice as long.
TEST_CASE("flow network: a change of links concerns the messages that are under way", "[physics]") {
  sim::LinkChange slower;
  slower.links = "node link";
  slower.when.from = kLatency + 0.5e6 / kBandwidth;
  slower.bandwidth = 0.5;
  const auto network = sim::kFlowNetwork.make(uncontended_star(4), {{}, {&slower, 1}});
  network->start_transfer({0, 1, Bytes{1000}, Seconds{0}, sim::Network::Head::kTravels, 1});
  network->start_transfer({2, 3, Bytes{1000000}, Seconds{0}, sim::Network::Head::kTravels, 2});
  struct Tails : sim::NetworkListener {
    explicit Tails(const sim::Network& net) : network(net) {}
    void on_head(sim::EventId) override {}
    void on_tail(sim::EventId id) override { times.emplace_back(id, network.now().value); }
    void on_delay_end(sim::EventId) override {}
    const sim::Network& network;
    std::vector<std::pair<sim::EventId, double>> times;
  };
  Tails tails(*network);
  network->run(tails);
  REQUIRE(tails.times.size() == 2);
  CHECK(tails.times[0].first == 1);
  CHECK(tails.times[0].second == near(kLatency + 1e3 / kBandwidth));
  CHECK(tails.times[1].second == near(kLatency + 1.5e6 / kBandwidth));
}

}  // namespace reprise::test
