// SPDX-License-Identifier: MIT
// Transfers between random nodes on a network, without ranks and MPI above it.
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
  void on_head(sim::EventId id) override { heads[id] = network.now().value; }
  void on_tail(sim::EventId id) override { tails[id] = network.now().value; }
  void on_delay_end(sim::EventId) override {}
  sim::Network& network;
  std::map<sim::EventId, double> heads, tails;
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

// Transfers that start at different times, so that no two events meet by chance; the head of every fifth is there already.
inline std::vector<sim::Network::Transfer> random_transfers(unsigned seed, std::uint32_t nodes) {
  std::mt19937 random(seed);
  std::vector<sim::Network::Transfer> transfers;
  double start = 0;
  for (std::uint64_t id = 0; id < kTransfers; ++id) {
    start += 1e-10 * static_cast<double>(1 + random() % 40000);
    const auto from = static_cast<std::uint32_t>(random() % nodes),
               to = static_cast<std::uint32_t>(random() % nodes);
    transfers.push_back({from, to, Bytes{random() % 60000}, Seconds{start},
                         id % 5 == 0 ? sim::Network::Head::kIsThere : sim::Network::Head::kTravels,
                         id});
  }
  return transfers;
}

}  // namespace reprise::test
