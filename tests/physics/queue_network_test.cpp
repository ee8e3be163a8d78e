// SPDX-License-Identifier: MIT
#include <algorithm>
#include <queue>
#include <tuple>
#include <vector>

#include "sim/network/network_model.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/random_transfers.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {
namespace {

sim::ReplaySettings queue() {
  sim::ReplaySettings settings;
  settings.network = sim::NetworkKind::queue;
  return settings;
}

// The model's equations (sim/network/queue_network.cpp), one message's head at one link after the other in order of time.
void compare_with_equations(const platforms::Platform& machine, unsigned seed) {
  const auto routes = platforms::make_route_table(machine);
  const auto transfers = random_transfers(seed, machine.nodes.count);
  std::vector<double> free_from(routes->link_count(), 0), heads(transfers.size()),
      tails(transfers.size(), 0);
  using Arrival = std::tuple<double, std::uint64_t, std::size_t>;  // time, message, hop
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals;
  for (const auto& transfer : transfers) arrivals.emplace(transfer.start.value, transfer.id, 0);
  platforms::Route route;
  for (; !arrivals.empty(); arrivals.pop()) {
    const auto [time, id, hop] = arrivals.top();
    const auto& transfer = transfers[id];
    routes->find_route(transfer.from, transfer.to, route);
    const auto& link = routes->link(route.links[hop]);
    const auto& mpi = machine.mpi_between_ends(transfer.from, transfer.to);
    const double service = static_cast<double>(transfer.bytes.value) /
                           (mpi.bandwidth_factor(transfer.bytes) * link.bandwidth.value),
                 latency = transfer.head == sim::Network::Head::kIsThere
                               ? 0
                               : mpi.latency_factor(transfer.bytes) * link.latency.value,
                 served = link.is_contended ? std::max(time, free_from[route.links[hop]]) : time;
    free_from[route.links[hop]] = served + service;
    tails[id] = std::max(tails[id], served + service) + latency;
    heads[id] = served + latency;
    if (hop + 1 < route.links.size()) arrivals.emplace(heads[id], id, hop + 1);
  }
  const auto network = sim::kQueueNetwork.make(machine, {});
  for (const auto& transfer : transfers) network->start_transfer(transfer);
  test::Arrival arrival(*network);
  network->run(arrival);
  REQUIRE(arrival.tails.size() == transfers.size());
  for (const auto& transfer : transfers) {
    REQUIRE(arrival.tails[transfer.id] == Approx(tails[transfer.id]).epsilon(1e-9).margin(1e-11));
    const bool travels = transfer.head == sim::Network::Head::kTravels;
    REQUIRE(arrival.heads.count(transfer.id) == (travels ? 1 : 0));
    if (travels)
      REQUIRE(arrival.heads[transfer.id] == Approx(heads[transfer.id]).epsilon(1e-9).margin(1e-11));
  }
}

}  // namespace

TEST_CASE("queue: heads and tails come when the equations say so, link by link", "[physics]") {
  auto tree = fat_tree(3, 4);
  tree.mpi.latency_factors = {{Bytes{1000}, 1.5}};
  tree.mpi.bandwidth_factors = {{Bytes{1000}, 0.5}};
  std::get<platforms::FatTree>(tree.network->topology).levels[1].link.bandwidth =
      BytesPerSecond{3 * kBandwidth};
  for (unsigned seed = 1; seed <= 3; ++seed) {
    compare_with_equations(tree, seed);
    compare_with_equations(star(6, 1, platforms::Sharing::kShared), seed);
    compare_with_equations(star(6, 1, platforms::Sharing::kUncontended), seed);
  }
}

// System: two senders, one receiving node; both heads reach its down link at one instant.
// Expectation: the first is not delayed, the second waits for all of its bytes: n/B, then 2n/B, as the last one in `flow`.
TEST_CASE("queue: of two messages on one link the second waits for the first", "[physics]") {
  const auto outcome = simulate_calls(3, R"(ranks 0-1: MPI_Rsend peer=2 bytes=1MB
      ranks 2: MPI_Recv peer=0 bytes=1MB
      ranks 2: MPI_Recv peer=1 bytes=1MB)",
                                      star(3), queue());
  CHECK(outcome.network == "queue");
  CHECK(finish(outcome, 2) == near(kSendOverhead + kLatency + 2e6 / kBandwidth + kReceiveOverhead));
  CHECK(outcome.ranks[2].wait.value == near(kSendOverhead));
}

// System: the sender's link takes both messages one after the other; the second goes to a node of its own.
TEST_CASE("queue: the first message is served as if alone", "[physics]") {
  const auto outcome = simulate_calls(3, R"(ranks 0: MPI_Irsend peer=1 bytes=1MB request=0
      ranks 0: MPI_Irsend peer=2 bytes=1MB request=1
      ranks 0: MPI_Waitall requests=[0, 1]
      ranks 1-2: MPI_Recv peer=0 bytes=1MB)",
                                      star(3), queue());
  CHECK(finish(outcome, 1) == near(kSendOverhead + wire(1e6) + kReceiveOverhead));
  CHECK(finish(outcome, 2) == near(kSendOverhead + kLatency + 2e6 / kBandwidth + kReceiveOverhead));
}

// System: a small message comes when a quarter of a large one has passed the link that both climb out of their pod by.
// Expectation: it waits for the other three quarters; messages are served whole.
TEST_CASE("queue: a later message waits for what is left of the one before", "[physics]") {
  const auto outcome = simulate_calls(4, R"(ranks 0: MPI_Rsend peer=2 bytes=1MB
      ranks 1: MPI_Rsend peer=3 bytes=1kB | compute 250us
      ranks 2: MPI_Recv peer=0 bytes=1MB
      ranks 3: MPI_Recv peer=1 bytes=1kB)",
                                      fat_tree(2, 2), queue());
  const double start = kSendOverhead + 2 * kLatency;
  CHECK(finish(outcome, 2) == near(start + 1e6 / kBandwidth + kReceiveOverhead));
  CHECK(finish(outcome, 3) == near(start + 1e6 / kBandwidth + 1e3 / kBandwidth + kReceiveOverhead));
}

// System: a narrow link from the node, then a link of four times its bandwidth that two nodes share.
// Expectation: the wide link is busy for a quarter of the time, so both messages pass at the narrow links' pace, the second
// a wide link's service time behind.
TEST_CASE("queue: behind narrow links a wide one carries several messages at once", "[physics]") {
  auto machine = fat_tree(2, 2);
  auto& levels = std::get<platforms::FatTree>(machine.network->topology).levels;
  levels[1].link.bandwidth = BytesPerSecond{4 * kBandwidth};
  const auto outcome = simulate_calls(4, R"(ranks 0-1: MPI_Rsend peer=+2 bytes=1MB
      ranks 2-3: MPI_Recv peer=-2 bytes=1MB)",
                                      machine, queue());
  const double first = kSendOverhead + 2 * kLatency + 1e6 / kBandwidth + kReceiveOverhead;
  CHECK(finish(outcome, 2) == near(first));
  CHECK(finish(outcome, 3) == near(first + 1e6 / (4 * kBandwidth)));
}

TEST_CASE("queue: messages inside a node take turns on its path", "[physics]") {
  const auto outcome = simulate_calls(4, R"(ranks 0-1: MPI_Rsend peer=+2 bytes=800kB
      ranks 2-3: MPI_Recv peer=-2 bytes=800kB)",
                                      star(1, 4), queue());
  const double first = kSendOverhead + kNodeLatency + 800e3 / kNodeBandwidth + kReceiveOverhead;
  CHECK(finish(outcome, 2) == near(first));
  CHECK(finish(outcome, 3) == near(first + 800e3 / kNodeBandwidth));
}

// System: pairs that meet nobody, sizes on both sides of the eager limit, factors by size.
TEST_CASE("queue: without contention it gives the times of the uncontended network", "[physics]") {
  const std::string calls =
      "loop 20 {\nMPI_Sendrecv peer=^1 bytes=(100, 5000, 70000, 900000)*5 receive_peer=^1 "
      "receive_bytes=1MB"
      " | compute {0: 3us; 1: 5us; 2: 40us; 3: 1us}\n}";
  auto machine = fat_tree(2, 2);
  machine.mpi.latency_factors = {{Bytes{1000}, 1.5}};
  machine.mpi.bandwidth_factors = {{Bytes{1000}, 0.5}};
  sim::ReplaySettings bare = queue();
  bare.network = sim::NetworkKind::uncontended;
  const auto queued = simulate_calls(4, calls, machine, queue()),
             free = simulate_calls(4, calls, machine, bare);
  for (int rank = 0; rank < 4; ++rank) CHECK(finish(queued, rank) == near(finish(free, rank)));
}

// System: seven senders to one receiver, equal messages, all at once.
// Expectation: the receiver's link carries their bytes one after the other, at its bandwidth: as in `flow`.
TEST_CASE("queue and flow: an incast ends when the receiver's link has carried all bytes",
          "[physics]") {
  const std::string calls = R"(ranks 1-7: MPI_Rsend peer=0 bytes=100kB
      ranks 0: loop 7 {
      ranks 0: MPI_Recv peer=absolute:9..15 bytes=100kB
      }
      MPI_Barrier)";
  const auto queued = simulate_calls(8, calls, star(8), queue()),
             shared = simulate_calls(8, calls, star(8));
  CHECK(queued.messages == shared.messages);
  CHECK(queued.predicted_time.value >= kSendOverhead + kLatency + 700e3 / kBandwidth);
  CHECK(shared.predicted_time.value == Approx(queued.predicted_time.value).epsilon(0.01));
}

// Its request travels beside the queue, and has to be met behind the message that still waits in it.
TEST_CASE("queue: a rendezvous does not overtake an eager message that waits", "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Isend peer=1 bytes=60kB request=1
    ranks 0: MPI_Isend peer=1 bytes=50kB request=2
    ranks 0: MPI_Isend peer=1 bytes=200kB request=3
    ranks 0: MPI_Wait request=1
    ranks 0: MPI_Wait request=2
    ranks 0: MPI_Wait request=3
    ranks 1: MPI_Recv peer=0 bytes=60kB
    ranks 1: MPI_Recv peer=0 bytes=50kB
    ranks 1: MPI_Recv peer=0 bytes=200kB)",
                                      star(2), queue());
  CHECK(finish(outcome, 1) == near(kSendOverhead + wire(110e3) + kReceiveOverhead + kLatency +
                                   wire(200e3) + kReceiveOverhead));
}

}  // namespace reprise::test
