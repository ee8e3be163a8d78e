// SPDX-License-Identifier: MIT
// SimGrid's solver is the reference of the flow network.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "sim/network/network_model.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/random_transfers.hpp"

namespace reprise::test {
namespace {

std::vector<double> tails_in_simgrid(const platforms::Platform& machine, unsigned seed) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {  // SimGrid simulates once per process
    const auto network = sim::kSimgridNetwork.make(machine, {});
    const auto tails = tails_of(*network, seed, machine.nodes.count * machine.nodes.sockets);
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

void compare_with_simgrid(const platforms::Platform& machine, unsigned seed) {
  const auto network = sim::kFlowNetwork.make(machine, {});
  const auto ours = tails_of(*network, seed, machine.nodes.count * machine.nodes.sockets);
  const auto theirs = tails_in_simgrid(machine, seed);
  // SimGrid takes what is left of a flow in 1/1024 byte: 1e-12 s on these links each time
  for (std::size_t i = 0; i < ours.size(); ++i)
    REQUIRE(ours[i] == Approx(theirs[i]).epsilon(1e-9).margin(1e-11));
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

TEST_CASE("simgrid network: in a torus, a dragonfly, over sockets and interfaces, too",
          "[physics]") {
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
  platforms::Platform receivers =
      star(3);  // what one takes in bounds flows that share their node's path
  receivers.intra_node_per_receiver = BytesPerSecond{kNodeBandwidth / 4};
  for (unsigned seed = 1; seed <= 3; ++seed)
    for (const auto& machine : {torus, dragonfly, sockets, receivers})
      compare_with_simgrid(machine, seed);
}

// What waits for the latency alone, such as a request to send, has used the route as well as a message has.
TEST_CASE("simgrid network: the cables of a route are used by a message or what precedes it",
          "[physics]") {
  const auto cables_are_noted = [](bool has_data) {
    const auto network = sim::kSimgridNetwork.make(star(2), {});
    if (!network->cables_used().empty()) return false;
    sim::Network::Transfer transfer;
    transfer.to = 1;
    if (has_data)
      network->start_transfer(transfer);
    else
      network->latency(0, 1, Seconds{});
    return network->cables_used() == std::vector<std::string>{"node"};
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
