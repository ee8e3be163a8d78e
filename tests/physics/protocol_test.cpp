// SPDX-License-Identifier: MIT
// Copies through MPI's own buffers, progress that needs the rank, and messages that do not fit.
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {
namespace {

constexpr double kCopyBandwidth = 2e9;

platforms::Platform copying() {
  platforms::Platform machine = star(2);
  machine.mpi.copy_bandwidth = BytesPerSecond{kCopyBandwidth};
  return machine;
}

platforms::Platform in_calls() {
  platforms::Platform machine = star(2);
  machine.mpi.progress = platforms::Progress::kInCalls;
  return machine;
}

double copy(double bytes) { return bytes / kCopyBandwidth; }

}  // namespace

TEST_CASE("copy: an eager message that came before its receive is copied", "[physics]") {
  const std::string calls = R"(ranks 0: MPI_Send peer=1 bytes=60kB
      ranks 1: MPI_Recv peer=0 bytes=60kB | compute 1ms)";
  CHECK(finish(simulate_calls(2, calls, copying()), 1) ==
        near(1e-3 + kReceiveOverhead + copy(60e3)));
  CHECK(finish(simulate_calls(2, calls, star(2)), 1) == near(1e-3 + kReceiveOverhead));
}

TEST_CASE("copy: none where the receive was posted in time, nor by rendezvous", "[physics]") {
  CHECK(finish(simulate_calls(2, R"(ranks 0: MPI_Send peer=1 bytes=60kB | compute 1ms
      ranks 1: MPI_Recv peer=0 bytes=60kB)",
                              copying()),
               1) == near(1e-3 + eager(60e3)));
  CHECK(finish(simulate_calls(2, R"(ranks 0: MPI_Send peer=1 bytes=1MB
      ranks 1: MPI_Recv peer=0 bytes=1MB | compute 1ms)",
                              copying()),
               1) == near(1e-3 + kLatency + wire(1e6) + kReceiveOverhead));
}

TEST_CASE("copy: as many bytes as were sent, not as there is room", "[physics]") {
  const std::string calls = R"(ranks 0: MPI_Send peer=1 bytes=1kB
      ranks 1: MPI_Recv peer=0 bytes=60kB | compute 1ms)";
  CHECK(finish(simulate_calls(2, calls, copying()), 1) ==
        near(1e-3 + kReceiveOverhead + copy(1e3)));
}

TEST_CASE("copy: a buffered send copies its payload into the buffer", "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Bsend peer=1 bytes=1MB
      ranks 1: MPI_Recv peer=0 bytes=1MB)",
                                      copying());
  CHECK(finish(outcome, 0) == near(kSendOverhead + copy(1e6)));
  CHECK(finish(outcome, 1) == near(rendezvous(1e6) + copy(1e6)));
}

TEST_CASE("copy: the steps of collectives are copied alike", "[physics]") {
  const auto outcome =
      simulate_calls(2, "MPI_Bcast peer=0 send_bytes=60kB | compute {0: 0s; 1: 1ms}", copying());
  CHECK(finish(outcome, 1) == near(1e-3 + kReceiveOverhead + copy(60e3)));
}

// System: both ranks compute for 10 ms while a rendezvous is under way.
TEST_CASE("progress: in calls only, a clearance waits for its receiver", "[physics]") {
  const std::string calls = R"(ranks 0: MPI_Isend peer=1 bytes=1MB request=0
      ranks 1: MPI_Irecv peer=0 bytes=1MB request=0
      MPI_Wait request=0 | compute {0: 0s; 1: 10ms})";
  CHECK(finish(simulate_calls(2, calls, star(2)), 1) == near(10e-3 + kReceiveOverhead));
  const auto held = simulate_calls(2, calls, in_calls());
  CHECK(finish(held, 1) == near(10e-3 + kLatency + wire(1e6) + kReceiveOverhead));
  CHECK(finish(held, 0) == near(10e-3 + kLatency + wire(1e6)));
  CHECK(held.ranks[0].wait.value == near(10e-3 - kSendOverhead));
}

TEST_CASE("progress: in calls only, the payload waits for its sender", "[physics]") {
  const std::string calls = R"(ranks 0: MPI_Isend peer=1 bytes=1MB request=0
      ranks 1: MPI_Irecv peer=0 bytes=1MB request=0
      MPI_Wait request=0 | compute {0: 10ms; 1: 0s})";
  CHECK(finish(simulate_calls(2, calls, in_calls()), 1) ==
        near(kSendOverhead + 10e-3 + wire(1e6) + kReceiveOverhead));
}

TEST_CASE("progress: any call lets a handshake go on", "[physics]") {
  const std::string calls = R"(ranks 0: MPI_Isend peer=1 bytes=1MB request=0
      ranks 1: MPI_Irecv peer=0 bytes=1MB request=0
      ranks 1: MPI_Barrier comm=1 | compute 4ms
      MPI_Wait request=0 | compute {0: 0s; 1: 6ms})";
  CHECK(finish(simulate_calls(2, calls, in_calls()), 1) == near(10e-3 + kReceiveOverhead));
}

TEST_CASE("progress: in calls only, eager messages and blocking calls are as ever", "[physics]") {
  const std::string eager_calls = R"(ranks 0: MPI_Isend peer=1 bytes=60kB request=0
      ranks 1: MPI_Irecv peer=0 bytes=60kB request=0
      MPI_Wait request=0 | compute 10ms)";
  CHECK(finish(simulate_calls(2, eager_calls, in_calls()), 1) == near(10e-3 + kReceiveOverhead));
  const std::string blocking = R"(loop 5 {
        ranks 0: MPI_Send peer=1 bytes=1MB | compute 1ms
        ranks 1: MPI_Recv peer=0 bytes=1MB | compute 2ms
      })";
  const auto with = simulate_calls(2, blocking, in_calls()),
             without = simulate_calls(2, blocking, star(2));
  CHECK(finish(with, 0) == near(finish(without, 0)));
  CHECK(finish(with, 1) == near(finish(without, 1)));
}

// System: a non-blocking barrier of four in two rounds; rank 0 computes from the first on.
TEST_CASE("progress: in calls only, the rounds of a non-blocking collective wait for their rank",
          "[physics]") {
  platforms::Platform machine = star(4);
  const std::string calls = R"(MPI_Ibarrier request=0
      MPI_Wait request=0 | compute {0: 10ms; 1-3: 0s})";
  const double round = kSendOverhead + kLatency + kReceiveOverhead;
  CHECK(finish(simulate_calls(4, calls, machine), 3) == near(2 * round));
  machine.mpi.progress = platforms::Progress::kInCalls;
  // Ranks 2 hears from rank 0 in the second round only, which rank 0 begins when it waits.
  const auto held = simulate_calls(4, calls, machine);
  CHECK(finish(held, 2) == near(10e-3 + kReceiveOverhead + round));
  CHECK(finish(held, 3) == near(2 * round));
}

TEST_CASE("truncation: an error that names both ranks, their sizes and their calls", "[physics]") {
  CHECK(error_of(2, R"(thread 0 {
      ranks 0: MPI_Send peer=1 tag=3 bytes=2000
      ranks 1: MPI_Recv peer=0 tag=3 bytes=1000
    })",
                 star(2)) ==
        "rank 1 in MPI_Recv (test:5): has room for 1000 bytes, but the message that it matches has "
        "2000: sent by rank 0 in MPI_Send (test:4), tag 3\n  the recorded program did not truncate "
        "it, so its messages matched differently; `reprise trace check` lists the problems of the "
        "trace");
}

TEST_CASE("truncation: a non-blocking receive is named by the call that posted it", "[physics]") {
  CHECK(error_of(2, R"(thread 0 {
      ranks 0: MPI_Ssend peer=1 bytes=2
      ranks 1: MPI_Irecv peer=0 bytes=1 request=0
      ranks 1: MPI_Wait request=0
    })",
                 star(2))
            .rfind("rank 1 in MPI_Irecv (test:5): has room for 1 bytes, but the message that it "
                   "matches has 2: sent by "
                   "rank 0 in MPI_Ssend (test:4), tag 0",
                   0) == 0);
}

TEST_CASE("truncation: where the recorded program cut messages short, the replay does",
          "[physics]") {
  const std::string loss =
      "loss \"messages longer than the room for them (MPI_ERR_TRUNCATE)\" partial count 1 time "
      "0ns\n";
  const auto outcome = simulate(2, loss + R"(thread 0 {
      ranks 0: MPI_Send peer=1 bytes=2000
      ranks 1: MPI_Recv peer=0 bytes=1000
    })",
                                star(2));
  CHECK(finish(outcome, 1) == near(eager(2000)));
}

TEST_CASE("truncation: room for more than was sent is no error", "[physics]") {
  CHECK(finish(simulate_calls(2, R"(ranks 0: MPI_Send peer=1 bytes=10
      ranks 1: MPI_Recv peer=0 bytes=1GB)",
                              star(2)),
               1) == near(eager(10)));
}

TEST_CASE("start: of a request that is not persistent is an error", "[physics]") {
  CHECK(error_of(2, R"(thread 0 {
      MPI_Irecv peer=^1 bytes=8 request=0
      MPI_Start request=0
    })",
                 star(2)) ==
        "rank 0 in MPI_Start (test:5): starts request 0, which is not persistent\n  `reprise trace "
        "check` lists further problems of the trace");
}

}  // namespace reprise::test
