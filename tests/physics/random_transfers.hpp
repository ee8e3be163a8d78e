// SPDX-License-Identifier: MIT
// When each of 400 transfers between random nodes has arrived on a network, without ranks and MPI above it.
#pragma once

#include <map>
#include <random>
#include <vector>

#include "sim/network/network.hpp"
#include "tests/physics/near.hpp"

namespace reprise::test {

inline constexpr std::uint64_t kTransfers = 400;

struct Arrival : sim::NetworkListener {
  explicit Arrival(sim::Network& net) : network(net) {}
  void on_head(sim::EventId) override {}
  void on_tail(sim::EventId id) override { tails[id] = network.now().value; }
  void on_delay_end(sim::EventId) override {}
  sim::Network& network;
  std::map<sim::EventId, double> tails;
};

inline std::vector<double> tails_of(sim::Network& network, unsigned seed, std::uint32_t nodes) {
  std::mt19937 random(seed);
  double start = 0;
  for (std::uint64_t id = 0; id < kTransfers; ++id) {
    if (random() % 3 != 0)
      start += 1e-6 * static_cast<double>(random() % 20);  // a third of them start at one instant
    const auto from = static_cast<std::uint32_t>(random() % nodes),
               to = static_cast<std::uint32_t>(random() % nodes);
    network.start_transfer(
        {from, to, Bytes{random() % 60000}, Seconds{start}, sim::Network::Head::kTravels, id});
  }
  Arrival arrival(network);
  network.run(arrival);
  std::vector<double> tails;
  for (const auto& [id, time] : arrival.tails) tails.push_back(time);
  REQUIRE(tails.size() == kTransfers);
  return tails;
}

}  // namespace reprise::test
