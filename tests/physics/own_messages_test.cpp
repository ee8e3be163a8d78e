// SPDX-License-Identifier: MIT
// A rank's messages to itself where the platform says how fast a rank copies: one copy, and nothing else.
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {
namespace {

constexpr double kCopyBandwidth = 2e9;

// Everything that a message to another rank of the node pays is there, and dear.
platforms::Platform copying() {
  platforms::Platform machine = star(1);
  machine.intra_node_mpi.copy_bandwidth = BytesPerSecond{kCopyBandwidth};
  machine.intra_node_mpi.acknowledgements = {{Bytes{}, Seconds{1}}};
  machine.intra_node_mpi.cold_caches = {
      {Seconds{1e-6}, {{Bytes{8}, Seconds{1}}}, {{Bytes{8}, Seconds{1}}}, {}}};
  machine.intra_node.latency = Seconds{1};
  return machine;
}

double copy(double bytes) { return bytes / kCopyBandwidth; }
double time_of(const std::string& calls) {
  return simulate_calls(1, calls, copying()).predicted_time.value;
}

}  // namespace

TEST_CASE("own message: an eager one is copied in the send", "[physics]") {
  const std::string calls = R"(MPI_Irecv peer=0 bytes=8kB request=0 | compute 1ms
      MPI_Send peer=0 bytes=8kB
      MPI_Wait request=0)";
  CHECK(time_of(calls) == near(1e-3 + kSendOverhead + copy(8e3) + kReceiveOverhead));
}

TEST_CASE("own message: an eager one without a receive is copied once more", "[physics]") {
  const std::string calls = R"(MPI_Send peer=0 bytes=8kB
      MPI_Recv peer=0 bytes=8kB | compute 1ms)";
  CHECK(time_of(calls) == near(kSendOverhead + copy(8e3) + 1e-3 + kReceiveOverhead + copy(8e3)));
}

TEST_CASE("own message: a rendezvous is copied when both its calls are there", "[physics]") {
  CHECK(time_of(R"(MPI_Irecv peer=0 bytes=1MB request=0
      MPI_Send peer=0 bytes=1MB
      MPI_Wait request=0)") == near(kSendOverhead + copy(1e6) + kReceiveOverhead));
  CHECK(time_of(R"(MPI_Isend peer=0 bytes=1MB request=0
      MPI_Recv peer=0 bytes=1MB | compute 1ms
      MPI_Wait request=0)") == near(kSendOverhead + 1e-3 + copy(1e6) + kReceiveOverhead));
  CHECK(time_of("MPI_Sendrecv peer=0 bytes=1MB receive_peer=0 receive_bytes=1MB") ==
        near(kSendOverhead + copy(1e6) + kReceiveOverhead));
}

// The 8 kB would not have room for the first. What taking them costs is paid while the 1 MB is copied.
TEST_CASE("own message: they are received in the order of sending", "[physics]") {
  CHECK(time_of(R"(MPI_Irecv peer=0 bytes=1MB request=0
      MPI_Irecv peer=0 bytes=8kB request=1
      MPI_Isend peer=0 bytes=1MB request=2
      MPI_Isend peer=0 bytes=8kB request=3
      MPI_Waitall requests=[0, 1, 2, 3])") == near(kSendOverhead + copy(1e6) + kReceiveOverhead));
}

TEST_CASE("own message: a send by rendezvous that is never received deadlocks", "[physics]") {
  CHECK(error_kind_of(1, "thread 0 {\nMPI_Send peer=0 bytes=1MB\n}", copying()) ==
        sim::ReplayError::Kind::deadlock);
}

}  // namespace reprise::test
