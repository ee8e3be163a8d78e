// SPDX-License-Identifier: MIT
// What a node's own path may have besides a bandwidth: receivers that take in one copy after the other, acknowledged sends, own copies
// in collectives, rates that depend on size.
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {
namespace {

constexpr double kOneReceiver = kNodeBandwidth / 4;

// One node of four cores; all messages by eager sends unless larger than 64 KiB.
platforms::Platform node() {
  platforms::Platform machine = star(1, 4);
  machine.network.reset();
  return machine;
}

platforms::Platform with_receivers() {
  platforms::Platform machine = node();
  machine.intra_node_per_receiver = BytesPerSecond{kOneReceiver};
  return machine;
}

platforms::Platform acknowledged(double seconds) {
  platforms::Platform machine = node();
  machine.intra_node_mpi.acknowledgements = {{Bytes{1000}, Seconds{seconds}}};
  return machine;
}

double inside(double bytes, double bandwidth) {
  return kSendOverhead + kNodeLatency + bytes / bandwidth + kReceiveOverhead;
}

}  // namespace

TEST_CASE("shared memory: one message is as fast as its receiver takes it", "[physics]") {
  const std::string calls =
      "ranks 0: MPI_Send peer=1 bytes=64kB\nranks 1: MPI_Recv peer=0 bytes=64kB";
  CHECK(finish(simulate_calls(2, calls, node()), 1) == near(inside(64e3, kNodeBandwidth)));
  for (const auto network :
       {sim::NetworkKind::flow, sim::NetworkKind::fluid, sim::NetworkKind::queue,
        sim::NetworkKind::uncontended, sim::NetworkKind::simgrid}) {
    sim::ReplaySettings settings;
    settings.network = network;
    CHECK(finish(simulate_calls(2, calls, with_receivers(), settings), 1) ==
          near(inside(64e3, kOneReceiver)));
  }
}

TEST_CASE("shared memory: messages to different receivers do not slow each other", "[physics]") {
  const auto outcome = simulate_calls(
      4, "MPI_Sendrecv peer=^1 bytes=64kB receive_peer=^1 receive_bytes=64kB", with_receivers());
  for (int rank = 0; rank < 4; ++rank)
    CHECK(finish(outcome, rank) == near(inside(64e3, kOneReceiver)));
}

TEST_CASE("shared memory: messages to one receiver share what it takes in", "[physics]") {
  const std::string calls = R"(ranks 1-2: MPI_Send peer=0 bytes=64kB
      ranks 0: MPI_Irecv peer=1 bytes=64kB request=0
      ranks 0: MPI_Irecv peer=2 bytes=64kB request=1
      ranks 0: MPI_Waitall requests=[0, 1])";
  for (const auto network :
       {sim::NetworkKind::flow, sim::NetworkKind::fluid, sim::NetworkKind::queue}) {
    sim::ReplaySettings settings;
    settings.network = network;
    CHECK(finish(simulate_calls(3, calls, with_receivers(), settings), 0) ==
          near(kSendOverhead + kNodeLatency + 2 * 64e3 / kOneReceiver + 2 * kReceiveOverhead -
               (network == sim::NetworkKind::queue ? kReceiveOverhead : 0)));
  }
}

TEST_CASE(
    "shared memory: an acknowledged eager send is complete that long after its message has come",
    "[physics]") {
  const std::string calls =
      "ranks 0: MPI_Send peer=1 bytes=1kB\nranks 1: MPI_Recv peer=0 bytes=1kB";
  const auto outcome = simulate_calls(2, calls, acknowledged(1e-6));
  CHECK(finish(outcome, 0) == near(kSendOverhead + kNodeLatency + 1e3 / kNodeBandwidth + 1e-6));
  CHECK(finish(outcome, 1) == near(inside(1e3, kNodeBandwidth)));
  const std::string smaller =
      "ranks 0: MPI_Send peer=1 bytes=999\nranks 1: MPI_Recv peer=0 bytes=999";
  CHECK(finish(simulate_calls(2, smaller, acknowledged(1e-6)), 0) == near(kSendOverhead));
}

TEST_CASE("shared memory: an acknowledgement needs no receive", "[physics]") {
  const auto outcome = simulate_calls(2, R"(MPI_Send peer=^1 bytes=1kB
      MPI_Recv peer=^1 bytes=1kB)",
                                      acknowledged(1e-6));
  CHECK(finish(outcome, 0) ==
        near(kSendOverhead + kNodeLatency + 2e3 / kNodeBandwidth + 1e-6 + kReceiveOverhead));
}

TEST_CASE("shared memory: a rendezvous is complete at its sender with the acknowledgement",
          "[physics]") {
  const std::string calls =
      "ranks 0: MPI_Send peer=1 bytes=1MB\nranks 1: MPI_Recv peer=0 bytes=1MB";
  const auto plain = simulate_calls(2, calls, node()),
             late = simulate_calls(2, calls, acknowledged(1e-6));
  CHECK(finish(late, 0) == near(finish(plain, 0) + 1e-6));
  CHECK(finish(late, 1) == near(finish(plain, 1)));
}

TEST_CASE("shared memory: a buffered send waits for no acknowledgement", "[physics]") {
  const std::string calls =
      "ranks 0: MPI_Bsend peer=1 bytes=1kB\nranks 1: MPI_Recv peer=0 bytes=1kB";
  CHECK(finish(simulate_calls(2, calls, acknowledged(1e-6)), 0) == near(kSendOverhead));
}

TEST_CASE("collectives: a member copies its own share, unless it is in place", "[physics]") {
  platforms::Platform machine = node();
  machine.intra_node_mpi.copy_bandwidth = BytesPerSecond{1e9};
  machine.intra_node_mpi.copy_factors = {{Bytes{2000}, 0.5}};
  const auto with = [&](const std::string& calls, const platforms::Platform& platform) {
    return finish(simulate_calls(2, calls, platform), 0);
  };
  const std::string allreduce = "MPI_Allreduce send_bytes=1kB element_bytes=8 commutes=1";
  CHECK(with(allreduce, machine) == near(with(allreduce, node()) + 1e-6));
  CHECK(with(allreduce + " in_place=1", machine) == near(with(allreduce, node())));
  const std::string alltoall = "MPI_Alltoall send_bytes=2kB receive_bytes_per_peer=2kB";
  CHECK(with(alltoall, machine) == near(with(alltoall, node()) + 4e-6));
  CHECK(with("MPI_Bcast peer=0 send_bytes=1kB", machine) ==
        near(with("MPI_Bcast peer=0 send_bytes=1kB", node())));
}

TEST_CASE("collectives: the rate of combining may depend on size", "[physics]") {
  platforms::Platform machine = node();
  machine.reduction_bandwidth = BytesPerSecond{1e9};
  machine.reduction_factors = {{Bytes{1000}, 0.25}};
  const auto at = [&](const std::string& bytes, const platforms::Platform& platform) {
    return finish(
        simulate_calls(2, "MPI_Allreduce send_bytes=" + bytes + " element_bytes=8 commutes=1",
                       platform),
        0);
  };
  CHECK(at("800", machine) == near(at("800", node()) + 0.8e-6));
  CHECK(at("1kB", machine) == near(at("1kB", node()) + 4e-6));
}

}  // namespace reprise::test
