// SPDX-License-Identifier: MIT
#include "sim/network/network_model.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/random_transfers.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {

TEST_CASE("uncontended: flows do not see each other", "[physics]") {
  sim::ReplaySettings settings;
  settings.network = sim::NetworkKind::uncontended;
  const auto outcome = simulate_calls(3, R"(ranks 0-1: MPI_Rsend peer=2 bytes=1MB
      ranks 2: MPI_Irecv peer=0 bytes=1MB request=0
      ranks 2: MPI_Irecv peer=1 bytes=1MB request=1
      ranks 2: MPI_Waitall requests=[0, 1])",
                                      star(3), settings);
  CHECK(finish(outcome, 2) == near(kSendOverhead + wire(1e6) + 2 * kReceiveOverhead));
  CHECK(outcome.network == "uncontended");
}

// Expectation: head after λL, tail n/(βB) behind it, whatever else is on the way.
TEST_CASE("uncontended: each message takes the time that it takes alone", "[physics]") {
  auto machine = fat_tree(3, 4);
  machine.mpi.latency_factors = {{Bytes{1000}, 1.5}};
  machine.mpi.bandwidth_factors = {{Bytes{1000}, 0.5}};
  const auto routes = platforms::make_route_table(machine);
  const auto network = sim::kUncontendedNetwork.make(machine, {});
  const auto transfers = random_transfers(1, 12);
  for (const auto& transfer : transfers) network->start_transfer(transfer);
  Arrival arrival(*network);
  network->run(arrival);
  platforms::Route route;
  for (const auto& transfer : transfers) {
    routes->find_route(transfer.from, transfer.to, route);
    const auto& mpi = machine.mpi_between_ends(transfer.from, transfer.to);
    const bool travels = transfer.head == sim::Network::Head::kTravels;
    const double head = transfer.start.value +
                        (travels ? mpi.latency_factor(transfer.bytes) * route.latency.value : 0);
    REQUIRE(arrival.heads.count(transfer.id) == (travels ? 1 : 0));
    if (travels) REQUIRE(arrival.heads[transfer.id] == Approx(head).epsilon(1e-9).margin(1e-11));
    REQUIRE(arrival.tails[transfer.id] ==
            Approx(head + static_cast<double>(transfer.bytes.value) /
                              (mpi.bandwidth_factor(transfer.bytes) * route.bandwidth.value))
                .epsilon(1e-9)
                .margin(1e-11));
  }
}

}  // namespace reprise::test
