// SPDX-License-Identifier: MIT
// The flow network against two references: progressive filling from scratch, and SimGrid's own solver.
#include "sim/network/flow_network.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "sim/network/max_min_shares.hpp"
#include "sim/network/simgrid_network.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"

namespace reprise::test {
namespace {

struct TestFlow {
  std::vector<std::uint32_t> links;
  double bound;
};
using Flows = std::map<std::uint32_t, TestFlow>;

// All flows grow together; who meets a full link or the own bound stops.
std::map<std::uint32_t, double> rates_from_scratch(const Flows& flows, std::vector<double> left) {
  std::map<std::uint32_t, double> rates;
  while (rates.size() < flows.size()) {
    std::vector<int> waiting(left.size(), 0);
    for (const auto& [id, flow] : flows)
      if (!rates.count(id))
        for (const auto link : flow.links) ++waiting[link];
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t link = 0; link < left.size(); ++link)
      if (waiting[link] > 0) least = std::min(least, left[link] / waiting[link]);
    for (const auto& [id, flow] : flows)
      if (!rates.count(id)) least = std::min(least, flow.bound);
    std::vector<std::uint32_t> stopped;
    for (const auto& [id, flow] : flows) {
      if (rates.count(id)) continue;
      bool stops = flow.bound <= least * (1 + 1e-13);
      for (const auto link : flow.links)
        stops = stops || left[link] / waiting[link] <= least * (1 + 1e-13);
      if (stops) stopped.push_back(id);
    }
    for (const auto id : stopped) {
      rates[id] = least;
      for (const auto link : flows.at(id).links) left[link] -= least;
    }
  }
  return rates;
}

void compare_with_scratch(unsigned seed, std::size_t links, std::size_t most_flows,
                          std::size_t most_links_a_flow, bool equal_links) {
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
                                  : std::numeric_limits<double>::infinity()};
      for (std::size_t n = 1 + below(most_links_a_flow); n > 0; --n) {
        const auto link = static_cast<std::uint32_t>(below(links));
        if (std::find(flow.links.begin(), flow.links.end(), link) == flow.links.end())
          flow.links.push_back(link);
      }
      shares.enter(id, flow.links, flow.bound);
      flows[id] = flow;
    }
    shares.settle([&told](std::uint32_t flow, double rate) { told[flow] = rate; });
    for (const auto& [id, rate] : rates_from_scratch(flows, capacities)) {
      REQUIRE(told.count(id) == 1);
      REQUIRE(told[id] == Approx(rate).epsilon(1e-9).margin(1e-3));
    }
  }
}

struct Arrival : sim::NetworkListener {
  explicit Arrival(sim::Network& net) : network(net) {}
  void on_head(sim::EventId) override {}
  void on_tail(sim::EventId id) override { tails[id] = network.now().value; }
  void on_delay_end(sim::EventId) override {}
  sim::Network& network;
  std::map<sim::EventId, double> tails;
};

std::vector<double> tails_of(sim::Network& network, unsigned seed, std::uint32_t nodes) {
  std::mt19937 random(seed);
  constexpr std::uint64_t kTransfers = 400;
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

std::vector<double> tails_in_simgrid(const platforms::Platform& machine, unsigned seed) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {  // SimGrid simulates once per process
    const auto network = sim::make_simgrid_network(machine);
    const auto tails = tails_of(*network, seed, machine.nodes.count * machine.nodes.sockets);
    const auto size = static_cast<ssize_t>(tails.size() * sizeof(double));
    _exit(write(ends[1], tails.data(), static_cast<std::size_t>(size)) == size ? 0 : 1);
  }
  close(ends[1]);
  std::vector<double> tails(400);
  char* to = reinterpret_cast<char*>(tails.data());
  std::size_t got = 0;
  for (ssize_t part; (part = ::read(ends[0], to + got, tails.size() * sizeof(double) - got)) > 0;)
    got += static_cast<std::size_t>(part);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  REQUIRE(got == tails.size() * sizeof(double));
  return tails;
}

void compare_with_simgrid(const platforms::Platform& machine, unsigned seed) {
  const auto network = sim::make_flow_network(machine);
  const auto ours = tails_of(*network, seed, machine.nodes.count * machine.nodes.sockets);
  const auto theirs = tails_in_simgrid(machine, seed);
  // SimGrid takes what is left of a flow in 1/1024 byte: 1e-12 s on these links each time
  for (std::size_t i = 0; i < ours.size(); ++i)
    REQUIRE(ours[i] == Approx(theirs[i]).epsilon(1e-9).margin(1e-11));
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

TEST_CASE("flow network: messages arrive when SimGrid's solver says so", "[physics]") {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    compare_with_simgrid(star(8), seed);
    compare_with_simgrid(star(6, 1, platforms::Sharing::kShared), seed);
    compare_with_simgrid(star(6, 1, platforms::Sharing::kUncontended), seed);
    compare_with_simgrid(fat_tree(3, 4), seed);
  }
}

TEST_CASE("flow network: in a torus, a dragonfly, over sockets and interfaces, too", "[physics]") {
  platforms::Platform torus = star(24);
  const platforms::LinkSpec link = torus.network->link;
  platforms::LinkSpec narrow = link;
  narrow.bandwidth = BytesPerSecond{kBandwidth / 3};
  torus.network->topology = platforms::Torus{{{4, link}, {3, narrow}, {2, link}}};
  platforms::Platform dragonfly = star(24);
  dragonfly.network->topology = platforms::Dragonfly{3, 4, 2, 2, link, link, narrow};
  platforms::Platform sockets = fat_tree(3, 2);
  sockets.nodes.cores = sockets.nodes.sockets = 2;
  sockets.inter_socket = {BytesPerSecond{kNodeBandwidth / 2}, Seconds{1e-7},
                          platforms::Sharing::kShared};
  sockets.network->interface = platforms::NetworkInterface{2, narrow};
  for (unsigned seed = 1; seed <= 3; ++seed)
    for (const auto& machine : {torus, dragonfly, sockets}) compare_with_simgrid(machine, seed);
}

TEST_CASE("flow network: a process can simulate with it any number of times", "[physics]") {
  const auto first = sim::make_flow_network(star(8)), second = sim::make_flow_network(star(8));
  CHECK(tails_of(*first, 7, 8) == tails_of(*second, 7, 8));
}

}  // namespace reprise::test
