// SPDX-License-Identifier: MIT
// SimGrid's solver is the reference of the flow network.
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "sim/network/network_model.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/random_transfers.hpp"

namespace reprise::test {
namespace {

using Changes = std::vector<sim::LinkChange>;

std::vector<double> tails_in_simgrid(const platforms::Platform& machine, unsigned seed,
                                     const Changes& changes) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {  // SimGrid simulates once per process
    const auto network = sim::kSimgridNetwork.make(machine, {{}, changes});
    const auto tails = tails_of(*network, seed, machine.nodes.count * machine.ends_per_node());
    const auto size = static_cast<ssize_t>(tails.size() * sizeof(double));
    _exit(write(ends[1], tails.data(), static_cast<std::size_t>(size)) == size ? 0 : 1);
  }
  close(ends[1]);
  std::vector<double> tails(kTransfers);
  char* to = reinterpret_cast<char*>(tails.data());
  std::size_t got = 0;
  for (ssize_t part; (part = ::read(ends[0], to + got, tails.size() * sizeof(double) - got)) > 0;)
    got += static_cast<std::size_t>(part);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  REQUIRE(got == tails.size() * sizeof(double));
  return tails;
}

void compare_with_simgrid(const platforms::Platform& machine, unsigned seed,
                          const Changes& changes = {}) {
  const auto network = sim::kFlowNetwork.make(machine, {{}, changes});
  const auto ours = tails_of(*network, seed, machine.nodes.count * machine.ends_per_node());
  const auto theirs = tails_in_simgrid(machine, seed, changes);
  // SimGrid takes what is left of a flow in 1/1024 byte: 1e-12 s on these links each time; with weights links are full to 1e-7
  const double precision = machine.latency_weights() == nullptr ? 1e-9 : 1e-6;
  INFO(machine.nodes.count << " nodes, seed " << seed << ", " << changes.size() << " changes");
  for (std::size_t i = 0; i < ours.size(); ++i)
    REQUIRE(ours[i] == Approx(theirs[i]).epsilon(precision).margin(1e-11));
}

}  // namespace

TEST_CASE("simgrid network: messages arrive when the flow network says so", "[physics]") {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    compare_with_simgrid(star(8), seed);
    compare_with_simgrid(star(6, 1, platforms::Sharing::kShared), seed);
    compare_with_simgrid(star(6, 1, platforms::Sharing::kUncontended), seed);
    compare_with_simgrid(fat_tree(3, 4), seed);
  }
}

namespace {

// A torus, a dragonfly, sockets with interfaces on a tree, and what bounds receivers.
std::vector<platforms::Platform> uneven_machines() {
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
  platforms::Platform more = sockets;  // three interfaces: parts of sockets
  more.nodes.cores = 6;
  more.network->interface->count = 3;
  platforms::Platform striped = sockets;
  striped.network->interface->use = platforms::InterfaceUse::kStriped;
  platforms::Platform receivers =
      star(3);  // what one takes in bounds flows that share their node's path
  receivers.intra_node_per_receiver = BytesPerSecond{kNodeBandwidth / 4};
  return {torus, dragonfly, sockets, more, striped, receivers};
}

// A cable for a while, all cables of a kind for another, one of them from then on.
Changes windows(const std::string& links) {
  sim::LinkChange one, all, late;
  for (auto* change : {&one, &all, &late}) {
    change->where = "windows";
    change->links = links;
  }
  one.cables = late.cables = sim::parse_ranges("1", "windows");
  one.when = {2e-4, 9e-4};
  one.bandwidth = 0.3;
  all.when = {5e-4, 2e-3};
  all.bandwidth = 0.5;
  all.latency = 4;
  late.when.from = 3e-3;
  late.bandwidth = 2;
  return {one, all, late};
}

}  // namespace

TEST_CASE("simgrid network: in a torus, a dragonfly, over sockets and interfaces, too",
          "[physics]") {
  for (unsigned seed = 1; seed <= 3; ++seed)
    for (const auto& machine : uneven_machines()) compare_with_simgrid(machine, seed);
}

// Routes of two and four links, of wide and narrow ones, on links that are contended, shared by both directions, and not contended.
TEST_CASE("simgrid network: where messages weigh by their routes' latency, too", "[physics]") {
  auto machines = uneven_machines();
  machines.push_back(fat_tree(3, 4));
  machines.push_back(fat_tree(2, 3));
  machines.back().network->link.sharing = platforms::Sharing::kShared;
  machines.push_back(fat_tree(2, 3));
  machines.back().network->link.sharing = platforms::Sharing::kUncontended;
  machines.push_back(star(6));
  std::get<platforms::Star>(machines.back().network->topology).backbone = {
      BytesPerSecond{2 * kBandwidth}, Seconds{1e-6}, platforms::Sharing::kShared};
  const platforms::LatencyWeights by_latency, smpi{Bytes{8775}, Bytes{4 << 20}},
      window{Bytes{100}, Bytes{1500}};
  for (unsigned seed = 1; seed <= 2; ++seed)
    for (platforms::Platform& machine : machines)
      for (const auto& weights : {by_latency, smpi, window}) {
        machine.network->latency_weights = weights;
        compare_with_simgrid(machine, seed);
      }
}

TEST_CASE("simgrid network: links that change in time, single cables among them", "[physics]") {
  platforms::Platform weighted = fat_tree(3, 4);
  weighted.network->latency_weights = {Bytes{8775}, Bytes{4 << 20}};
  for (unsigned seed = 1; seed <= 3; ++seed) {
    for (const auto& machine : {fat_tree(3, 4), weighted}) {
      compare_with_simgrid(machine, seed, windows("level 1 up"));
      compare_with_simgrid(machine, seed, windows("level 2 down"));
    }
    compare_with_simgrid(star(6, 1, platforms::Sharing::kUncontended), seed, windows("node link"));
  }
}

TEST_CASE("simgrid network: which changes no message has met is told as the flow network does",
          "[physics]") {
  sim::LinkChange met, unmet;
  met.links = unmet.links = "node up";
  met.cables = sim::parse_ranges("0", "");
  unmet.cables = sim::parse_ranges("1", "");
  met.bandwidth = unmet.bandwidth = 0.5;
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {  // SimGrid simulates once per process
    const Changes changes{met, unmet};
    const auto network = sim::kSimgridNetwork.make(star(2), {{}, changes});
    network->start_transfer({0, 1, Bytes{1000}, Seconds{0}, sim::Network::Head::kTravels, 1});
    Arrival arrival(*network);
    network->run(arrival);
    const bool is_late = std::abs(arrival.tails[1] - (kLatency + 2000 / kBandwidth)) < 1e-12;
    _exit(is_late && network->unmet_changes() == std::vector<std::size_t>{1} ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}

// What waits for the latency alone, such as a request to send, has used the route as well as a message has.
TEST_CASE("simgrid network: the cables of a route are used by a message or what precedes it",
          "[physics]") {
  const auto cables_are_noted = [](bool has_data) {
    platforms::Platform machine = star(2, 2);
    machine.network->interface = platforms::NetworkInterface{2, machine.network->link};
    const auto network = sim::kSimgridNetwork.make(machine, {});
    if (!network->cables_used().empty() || network->interfaces_used().used != 0) return false;
    sim::Network::Transfer transfer;
    transfer.to = 3;  // node 1, interface 1
    if (has_data)
      network->start_transfer(transfer);
    else
      network->latency(0, 3, Seconds{});
    return network->cables_used() == std::vector<std::string>{"interface", "node"} &&
           network->interfaces_used().nodes == 2 && network->interfaces_used().used == 2;
  };
  for (const bool has_data : {false, true}) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
      _exit(cables_are_noted(has_data) ? 0 : 1);  // SimGrid simulates once per process
    int status = 1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
  }
}

}  // namespace reprise::test
