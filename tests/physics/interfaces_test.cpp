// SPDX-License-Identifier: MIT
// Nodes with several network interfaces against closed forms, in every network whose messages share links.
//
// System  nodes of 8 cores on a star whose cables are wider than all interfaces of a node together; interfaces of bandwidth B; no overheads.
#include <string>

#include "sim/network/network_model.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

using platforms::InterfaceUse;

constexpr double kInterfaceLatency = 0.3e-6, kShiftBytes = 10e6;

platforms::Platform with_interfaces(std::uint32_t count, InterfaceUse use,
                                    std::uint32_t cores = 8) {
  platforms::Platform machine = star(4, cores);
  machine.network->link.bandwidth = BytesPerSecond{8 * kBandwidth};
  machine.network->interface = platforms::NetworkInterface{
      count, {BytesPerSecond{kBandwidth}, Seconds{kInterfaceLatency}}, use};
  machine.mpi.eager_limit = Bytes{1'000'000'000};
  machine.mpi.send_overhead = machine.mpi.recv_overhead = Seconds{};
  machine.intra_node_mpi = machine.mpi;
  return machine;
}

// Every rank of RANKS on 4 nodes sends 10 MB to the next node and receives as much, twenty times.
void check_shift(std::uint32_t ranks, const platforms::Platform& machine, double messages_at_once) {
  const std::string next = std::to_string(ranks / 4), bytes = "10000000";
  const double once =
      kLatency + 2 * kInterfaceLatency + messages_at_once * kShiftBytes / kBandwidth;
  for (const char* network : {"flow", "fluid", "simgrid"}) {
    INFO(ranks << " ranks, " << network);
    sim::ReplaySettings settings;
    settings.network = sim::find_network(network).value();
    const auto outcome =
        simulate_calls(static_cast<int>(ranks),
                       "loop 20 { MPI_Sendrecv peer=+" + next + " receive_peer=-" + next +
                           " bytes=" + bytes + " receive_bytes=" + bytes + " }",
                       machine, settings);
    CHECK(outcome.predicted_time.value == near(20 * once));
  }
}

}  // namespace

TEST_CASE("interfaces: the ranks of a node send by that of their core, or each by all",
          "[physics]") {
  check_shift(32, with_interfaces(1, InterfaceUse::kByCore), 8);
  check_shift(32, with_interfaces(2, InterfaceUse::kByCore), 4);
  check_shift(32, with_interfaces(3, InterfaceUse::kByCore), 3);  // of 3, 3 and 2 ranks
  check_shift(32, with_interfaces(8, InterfaceUse::kByCore), 1);
  check_shift(32, with_interfaces(1, InterfaceUse::kStriped), 8);
  check_shift(32, with_interfaces(2, InterfaceUse::kStriped), 4);
}

TEST_CASE("interfaces: one rank a node has one of them, or the bandwidth of all", "[physics]") {
  auto machine = with_interfaces(2, InterfaceUse::kByCore, 1);
  check_shift(4, machine, 1);
  machine.network->interface->use = InterfaceUse::kStriped;
  check_shift(4, machine, 0.5);
}

// Sockets of 4 cores, three interfaces: of cores 0 to 2, 3 to 5, 6 and 7. What one socket sends to the other crosses no interface.
TEST_CASE("interfaces: they divide sockets, whose paths stay their own", "[physics]") {
  auto machine = with_interfaces(3, InterfaceUse::kByCore);
  machine.nodes.sockets = 2;
  machine.inter_socket = {BytesPerSecond{2 * kBandwidth}, Seconds{1e-7},
                          platforms::Sharing::kShared};
  check_shift(32, machine, 3);
  const auto pair = [&](int from, int to) {
    const auto ends = std::to_string(from), other = std::to_string(to);
    return simulate_calls(8,
                          "ranks " + ends + ": MPI_Send peer=" + other + " bytes=10000000\nranks " +
                              other + ": MPI_Recv peer=" + ends + " bytes=10000000",
                          machine)
        .predicted_time.value;
  };
  const double inside = kNodeLatency + kShiftBytes / kNodeBandwidth;
  CHECK(pair(0, 2) == near(inside));  // one socket, one interface
  CHECK(pair(2, 3) == near(inside));  // one socket, two interfaces
  CHECK(pair(3, 4) == near(2 * kNodeLatency + 1e-7 + kShiftBytes / (2 * kBandwidth)));
}

TEST_CASE("interfaces: those with messages between nodes are counted", "[physics]") {
  const auto trace = trace_io::assemble(R"(reprise-text 1
ranks 32
thread 0 {
  ranks 0: MPI_Send peer=13 bytes=1000
  ranks 13: MPI_Recv peer=0 bytes=1000
  ranks 16: MPI_Send peer=23 bytes=1000
  ranks 23: MPI_Recv peer=16 bytes=1000
}
)",
                                        "test");
  for (const char* network : {"flow", "fluid", "queue", "uncontended"}) {
    INFO(network);
    sim::ReplaySettings settings;
    settings.network = sim::find_network(network).value();
    const auto outcome = sim::replay(trace, with_interfaces(2, InterfaceUse::kByCore), settings);
    CHECK(outcome.used.interfaces.nodes == 2);  // nodes 0 and 1; ranks 16 and 23 are on one node
    CHECK(outcome.used.interfaces.used == 2);
  }
}

}  // namespace reprise::test
