// SPDX-License-Identifier: MIT
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {

// System: the payload travels while both ranks compute for longer than it takes.
TEST_CASE("isend: transfer overlaps with computing", "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Isend peer=1 bytes=1MB request=0
      ranks 1: MPI_Irecv peer=0 bytes=1MB request=0
      MPI_Wait request=0 | compute 10ms)",
                                      star(2));
  CHECK(finish(outcome, 0) == near(kSendOverhead + 10e-3));
  CHECK(finish(outcome, 1) == near(10e-3 + kReceiveOverhead));
  CHECK(outcome.ranks[1].wait.value == near(0));
}

TEST_CASE("waitall: overheads of completed receives add up", "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Send peer=1 tag=1 bytes=8
      ranks 0: MPI_Send peer=1 tag=2 bytes=8
      ranks 0: MPI_Send peer=1 tag=3 bytes=8
      ranks 1: MPI_Irecv peer=0 tag=1 bytes=8 request=0
      ranks 1: MPI_Irecv peer=0 tag=2 bytes=8 request=1
      ranks 1: MPI_Irecv peer=0 tag=3 bytes=8 request=2
      ranks 1: MPI_Waitall requests=[0..2] | compute 1ms)",
                                      star(2));
  CHECK(finish(outcome, 1) == near(1e-3 + 3 * kReceiveOverhead));
}

TEST_CASE("testsome: a test that succeeded is the wait it became", "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Send peer=1 bytes=8 | compute 1ms
      ranks 1: MPI_Irecv peer=0 bytes=8 request=0
      ranks 1: MPI_Testsome requests=[0] polls=17)",
                                      star(2));
  CHECK(finish(outcome, 1) == near(1e-3 + eager(8)));
}

TEST_CASE("persistent: the same slots are started over and over", "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Send_init peer=1 bytes=1kB request=0
      ranks 1: MPI_Recv_init peer=0 bytes=1kB request=0
      loop 7 {
        MPI_Start request=0
        MPI_Wait request=0
        MPI_Sendrecv peer=^1 bytes=0 receive_peer=^1 receive_bytes=0 tag=1 receive_tag=1
      }
      MPI_Request_free request=0)",
                                      star(2));
  // Rank 0 sends the payload and at o_s more the empty message; rank 1 gets both one after the other.
  const double there = eager(1e3);
  const double back = kSendOverhead + kLatency + kReceiveOverhead;
  CHECK(outcome.predicted_time.value == near(7 * (there + back)));
  CHECK(outcome.messages == 21);
}

TEST_CASE("startall: starts several persistent requests", "[physics]") {
  const auto outcome = simulate_calls(2, R"(MPI_Send_init peer=^1 bytes=1kB request=0
      MPI_Recv_init peer=^1 bytes=1kB request=1
      loop 4 {
        MPI_Startall requests=[0, 1]
        MPI_Waitall requests=[0, 1]
      })",
                                      star(2));
  CHECK(outcome.predicted_time.value == near(4 * eager(1e3)));
}

TEST_CASE("request_free: an active send goes on without its request", "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Isend peer=1 bytes=1MB request=0
      ranks 0: MPI_Request_free request=0
      ranks 0: MPI_Isend peer=1 tag=1 bytes=8 request=0
      ranks 0: MPI_Wait request=0
      ranks 1: MPI_Recv peer=0 bytes=1MB)",
                                      star(2));
  CHECK(finish(outcome, 0) == near(2 * kSendOverhead));
  CHECK(finish(outcome, 1) == near(rendezvous(1e6)));
}

// What nothing waits for holds up nobody: the payload goes when the receiver comes, long after the sender has left.
TEST_CASE("isend: a send that nothing waits for goes on without its rank", "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Isend peer=1 bytes=1MB request=-1
      ranks 0: MPI_Isend peer=1 tag=1 bytes=8 request=-1
      ranks 0: MPI_Isend peer=1 tag=2 bytes=8 request=-2
      ranks 0: MPI_Wait request=-2
      ranks 1: MPI_Recv peer=0 bytes=1MB | compute 5ms
      ranks 1: MPI_Recv peer=0 tag=2 bytes=8
      ranks 1: MPI_Recv peer=0 tag=1 bytes=8)",
                                      star(2));
  CHECK(finish(outcome, 0) == near(3 * kSendOverhead));
  CHECK(finish(outcome, 1) ==
        near(5e-3 + kLatency + wire(1e6) + kReceiveOverhead + 2 * kReceiveOverhead));
  CHECK(outcome.messages == 3);
}

// Every rank of a ring sends payloads that need their receivers, and comes to its receives only then.
TEST_CASE("isend: a ring of sends that nothing waits for does not deadlock", "[physics]") {
  for (const char* network : {"flow", "queue", "uncontended"}) {
    CAPTURE(network);
    sim::ReplaySettings settings;
    settings.network = *sim::find_network(network);
    const auto outcome = simulate_calls(4, R"(loop 9 {
        MPI_Isend peer=+1 bytes=1MB request=-1
        MPI_Isend peer=-1 bytes=1MB request=-1
        MPI_Recv peer=-1 bytes=1MB | compute 20ms
        MPI_Recv peer=+1 bytes=1MB
      }
      MPI_Testall requests=[])",
                                        star(4), settings);
    CHECK(outcome.messages == 72);
  }
}

TEST_CASE("cancel: a receive that nothing matched is withdrawn", "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 1: MPI_Irecv peer=0 tag=9 bytes=8 request=0
      ranks 1: MPI_Cancel request=0
      ranks 1: MPI_Wait request=0
      ranks 1: MPI_Recv peer=0 tag=9 bytes=8
      ranks 0: MPI_Send peer=1 tag=9 bytes=8 | compute 1ms)",
                                      star(2));
  CHECK(finish(outcome, 1) == near(1e-3 + eager(8)));
}

// Two messages on their way: the first is for the receive of its tag, though one of that tag was withdrawn and its request used anew.
TEST_CASE("cancel: no later message is for the receive that was withdrawn", "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 1: MPI_Irecv peer=0 tag=9 bytes=8 request=0
      ranks 1: MPI_Cancel request=0
      ranks 1: MPI_Wait request=0
      ranks 1: MPI_Irecv peer=0 tag=8 bytes=8 request=0
      ranks 1: MPI_Recv peer=0 tag=9 bytes=8
      ranks 1: MPI_Wait request=0
      ranks 0: MPI_Send peer=1 tag=9 bytes=8 | compute 1ms
      ranks 0: MPI_Send peer=1 tag=8 bytes=8 | compute 1ms)",
                                      star(2));
  CHECK(finish(outcome, 1) == near(2e-3 + kSendOverhead + eager(8)));
}

TEST_CASE("probe: waits for the head of a message and leaves it to the receive", "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Send peer=1 tag=3 bytes=60kB | compute 1ms
      ranks 1: MPI_Probe peer=any tag=3 matched_peer=0
      ranks 1: MPI_Recv peer=0 tag=3 bytes=60kB)",
                                      star(2));
  CHECK(finish(outcome, 1) == near(1e-3 + eager(60e3)));
  CHECK(outcome.ranks[1].wait.value == near(1e-3 + kSendOverhead));
}

TEST_CASE("probe: rendezvous starts when the receive comes, not the probe", "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Send peer=1 bytes=1MB
      ranks 1: MPI_Iprobe peer=0 tag=0 polls=4
      ranks 1: MPI_Recv peer=0 bytes=1MB | compute 1ms)",
                                      star(2));
  const double probed = kSendOverhead + kLatency;
  CHECK(finish(outcome, 1) == near(probed + 1e-3 + kLatency + wire(1e6) + kReceiveOverhead));
}

TEST_CASE("mprobe: takes its message out of the way of other receives", "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Send peer=1 bytes=1kB
      ranks 0: MPI_Send peer=1 bytes=2kB | compute 1ms
      ranks 1: MPI_Mprobe peer=0 tag=0 message=0
      ranks 1: MPI_Recv peer=0 bytes=2kB
      ranks 1: MPI_Imrecv message=0 bytes=1kB request=0
      ranks 1: MPI_Wait request=0)",
                                      star(2));
  CHECK(finish(outcome, 1) == near(1e-3 + kSendOverhead + eager(2e3) + kReceiveOverhead));
}

TEST_CASE("requests: one that was waited for is gone, a persistent one can be started again",
          "[physics]") {
  const std::string wait = "MPI_Wait request=0\n";
  CHECK(error_of(1, "thread 0 {\nMPI_Isend peer=null bytes=8 request=0\n" + wait + wait + "}",
                 star(1)) ==
        "rank 0 in MPI_Wait (test:6): uses request 0, which was never started\n  `reprise trace "
        "check` lists further problems of the trace");
  CHECK(error_of(1,
                 "thread 0 {\nMPI_Send_init peer=null bytes=8 request=0\nloop 3 {\nMPI_Start "
                 "request=0\n" +
                     wait + "}\nMPI_Request_free request=0\n}",
                 star(1))
            .empty());
}

// Whatever a blocking call waits for has no slot; the request in slot 0 is the program's.
TEST_CASE("requests: a blocking call leaves the program's requests alone", "[physics]") {
  platforms::Platform machine = star(2);
  machine.storage = platforms::Storage{platforms::Storage::Kind::kShared,
                                       BytesPerSecond{1e9},
                                       BytesPerSecond{1e9},
                                       Seconds{1e-6},
                                       Seconds{1e-6},
                                       {},
                                       {}};
  for (const char* call :
       {"MPI_Barrier", "MPI_Allreduce send_bytes=8",
        "MPI_Sendrecv peer=^1 bytes=8 receive_peer=^1 receive_bytes=8",
        "ranks 0: MPI_Ssend peer=1 bytes=8\nranks 1: MPI_Recv peer=0 bytes=8",
        "ranks 0: MPI_Recv peer=1 bytes=8\nranks 1: MPI_Ssend peer=0 bytes=8",
        "ranks 0: MPI_Probe peer=1 tag=0\nranks 0: MPI_Recv peer=1 bytes=8\n"
        "ranks 1: MPI_Send peer=0 bytes=8",
        "MPI_File_write bytes=8", "MPI_File_write_all bytes=8", "MPI_File_sync",
        "MPI_File_write_all_begin bytes=8\nMPI_File_write_all_end",
        "ranks 0: MPI_Put peer=1 bytes=8\nMPI_Win_fence",
        "ranks 0: MPI_Win_lock peer=1\nranks 0: MPI_Put peer=1 bytes=8\n"
        "ranks 0: MPI_Win_flush_local peer=1\nranks 0: MPI_Win_flush peer=1\n"
        "ranks 0: MPI_Win_unlock peer=1",
        "ranks 1: MPI_Win_post group=[0] | compute 1us\nranks 0: MPI_Win_start group=[1]\n"
        "ranks 0: MPI_Win_complete\nranks 1: MPI_Win_wait",
        "ranks 0: MPI_Win_post group=[1]\nranks 1: MPI_Win_start group=[0]\n"
        "ranks 1: MPI_Win_complete | compute 1us\nranks 0: MPI_Win_wait"}) {
    CAPTURE(call);
    CHECK(error_of(2,
                   std::string("thread 0 {\nMPI_Win_create bytes=8\nMPI_File_open\n"
                               "ranks 0: MPI_Irecv peer=1 tag=99 bytes=8 request=0\n") +
                       call +
                       "\nranks 1: MPI_Send peer=0 tag=99 bytes=8 | compute 1ms\n"
                       "ranks 0: MPI_Wait request=0\n}",
                   machine)
              .empty());
  }
}

TEST_CASE("mrecv: of a message that no mprobe left behind it returns at once", "[physics]") {
  CHECK(finish(simulate_calls(1, "MPI_Mrecv message=0 bytes=8", star(1)), 0) == 0);
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Send peer=1 bytes=8
      ranks 1: MPI_Mprobe peer=0 tag=0 message=0
      ranks 1: MPI_Mrecv message=0 bytes=8
      ranks 1: MPI_Mrecv message=0 bytes=8
      ranks 1: MPI_Mrecv message=3 bytes=8)",
                                      star(2));
  CHECK(finish(outcome, 1) == near(eager(8)));
}

}  // namespace reprise::test
