// SPDX-License-Identifier: MIT
// Messages that everyone sends to everyone at once, on networks that solve so many of them within a tolerance.
#pragma once

#include <optional>
#include <random>
#include <vector>

#include "sim/network/flow_observer.hpp"
#include "sim/network/network_model.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/random_transfers.hpp"

namespace reprise::test {

// Fails where a rate is reported during a crowd, and records when crowds begin and end.
struct CrowdWatch final : sim::FlowObserver {
  bool is_crowd = false;
  std::vector<bool> changes;  // is it over?
  void on_flow_begin(std::uint64_t, double, Links) override {}
  void on_flow_end(std::uint64_t, double, Links, Link) override {}
  void on_wait(std::uint64_t, Link, double) override {}
  void on_rate(std::uint64_t, double, double, double, double, Links, Link) override {
    REQUIRE_FALSE(is_crowd);
  }
  void on_crowd(double, bool is_over) override {
    is_crowd = !is_over;
    changes.push_back(is_over);
  }
};

struct CrowdedTails {
  std::vector<double> tails;   // when each message has come
  std::size_t crowds = 0;      // as an observer saw them
  std::uint64_t reported = 0;  // as the network says
};

// Everyone sends to everyone over a fat tree with `up` cables from each leaf switch, each message 0.1 us after the one before;
// ranks begin at different times. Or all at once, at the time given.
inline CrowdedTails all_to_all(const sim::NetworkModel& model, double tolerance,
                               std::uint32_t leaves, std::uint32_t per_leaf, std::uint32_t up,
                               bool sizes_differ, const sim::LinkChange* change = nullptr,
                               const platforms::LatencyWeights* weights = nullptr,
                               std::optional<double> at_once = {}) {
  platforms::Platform machine = star(leaves * per_leaf);
  if (weights != nullptr) machine.network->latency_weights = *weights;
  const platforms::LinkSpec link = machine.network->link;
  machine.network->topology = platforms::FatTree{{{per_leaf, 1, 1, link}, {leaves, up, 1, link}}};
  sim::NetworkSettings settings;
  if (change != nullptr) settings.links = {change, 1};
  settings.flow_tolerance = tolerance;
  const auto network = model.make(machine, settings);
  std::mt19937 random(1);
  const std::uint32_t nodes = leaves * per_leaf;
  sim::EventId id = 0;
  for (std::uint32_t from = 0; from < nodes; ++from) {
    double start = at_once.value_or(1e-8 * static_cast<double>(random() % 10000));
    for (std::uint32_t k = 1; k < nodes; ++k) {
      const std::uint32_t to = (from + nodes - k) % nodes;
      start += at_once ? 0 : 1e-7;
      const std::uint64_t bytes = sizes_differ ? 4000 * (1 + (from * 7 + to * 13) % 5) : 10000;
      network->start_transfer(
          {from, to, Bytes{bytes}, Seconds{start}, sim::Network::Head::kTravels, id++});
    }
  }
  Arrival arrival(*network);
  CrowdWatch watch;
  REQUIRE(network->observe(watch));
  network->run(arrival);
  REQUIRE_FALSE(watch.is_crowd);
  for (std::size_t i = 0; i < watch.changes.size(); ++i) REQUIRE(watch.changes[i] == (i % 2 == 1));
  CrowdedTails seen{{}, watch.changes.size() / 2, network->crowds()};
  for (const auto& [message, time] : arrival.tails) seen.tails.push_back(time);
  REQUIRE(seen.tails.size() == id);
  return seen;
}

}  // namespace reprise::test
