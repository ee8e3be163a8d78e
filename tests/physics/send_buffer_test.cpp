// SPDX-License-Identifier: MIT
// MPI_Buffer_detach: waits until the messages of buffered sends have left the buffer, as large ones do when they have been received.
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {
namespace {

// Rank 0 sends and detaches, rank 1 receives after 1 ms.
sim::Outcome sent_and_detached(const std::string& send, const std::string& bytes) {
  return simulate_calls(2,
                        "ranks 0: " + send + " peer=1 bytes=" + bytes +
                            "\nranks 0: MPI_Buffer_detach\nranks 1: MPI_Recv peer=0 bytes=" +
                            bytes + " | compute 1ms",
                        star(2));
}

}  // namespace

TEST_CASE("send buffer: a large message leaves it with its tail, an eager one at once",
          "[physics]") {
  const auto large = sent_and_detached("MPI_Bsend", "1MB");
  CHECK(finish(large, 0) == near(1e-3 + kLatency + wire(1e6)));
  CHECK(large.ranks[0].wait.value == near(1e-3 - kSendOverhead));
  CHECK(finish(large, 1) == near(1e-3 + kLatency + wire(1e6) + kReceiveOverhead));
  CHECK(finish(sent_and_detached("MPI_Bsend", "1kB"), 0) == near(kSendOverhead));
  CHECK(finish(sent_and_detached("MPI_Ssend", "1MB"), 0) ==
        near(1e-3 + kLatency + wire(1e6)));  // holds nothing
}

TEST_CASE("send buffer: requests of buffered sends are complete before their messages have left",
          "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Ibsend peer=1 bytes=1MB request=0
      ranks 0: MPI_Bsend_init peer=1 bytes=1MB request=1
      ranks 0: MPI_Start request=1
      ranks 0: MPI_Waitall requests=[0, 1]
      ranks 0: MPI_Barrier comm=1
      ranks 0: MPI_Buffer_detach
      ranks 1: MPI_Recv peer=0 bytes=1MB | compute 1ms
      ranks 1: MPI_Recv peer=0 bytes=1MB | compute 5ms)",
                                      star(2));
  const double first = 1e-3 + kLatency + wire(1e6) + kReceiveOverhead;
  CHECK(finish(outcome, 0) == near(first + 5e-3 + kLatency + wire(1e6)));
  // Until the first is received, and from its tail until the other is.
  CHECK(outcome.ranks[0].wait.value == near(1e-3 - 2 * kSendOverhead + kReceiveOverhead + 5e-3));
}

TEST_CASE("send buffer: who detaches late, or once more, waits for nothing", "[physics]") {
  const auto outcome = simulate_calls(2, R"(loop 3 {
        ranks 0: MPI_Bsend peer=1 bytes=1MB
        ranks 0: MPI_Buffer_detach | compute 100ms
        ranks 0: MPI_Buffer_detach
        ranks 1: MPI_Recv peer=0 bytes=1MB
      })",
                                      star(2));
  CHECK(finish(outcome, 0) == near(3 * (kSendOverhead + 0.1)));
  CHECK(outcome.ranks[0].wait.value == 0);
}

TEST_CASE("send buffer: all messages of the rank are waited for, and nobody else's", "[physics]") {
  const auto outcome = simulate_calls(4, R"(ranks 0: MPI_Bsend peer=1 tag=0 bytes=1MB
      ranks 3: MPI_Bsend peer=1 tag=3 bytes=1MB
      ranks 0: MPI_Bsend peer=2 bytes=1MB
      ranks 0: MPI_Buffer_detach
      ranks 1: MPI_Recv peer=0 tag=0 bytes=1MB | compute 1ms
      ranks 2: MPI_Recv peer=0 bytes=1MB | compute 20ms
      ranks 1: MPI_Recv peer=3 tag=3 bytes=1MB | compute 1s)",
                                      star(4));
  CHECK(finish(outcome, 0) == near(20e-3 + kLatency + wire(1e6)));
  CHECK(finish(outcome, 3) == near(kSendOverhead));
}

TEST_CASE("send buffer: a message that is never received keeps it", "[physics]") {
  CHECK(error_of(2, R"(thread 0 {
      ranks 0: MPI_Bsend peer=1 tag=4 bytes=1MB
      ranks 0: MPI_Buffer_detach
    })",
                 star(2)) ==
        "replay deadlocked at 300 ns: rank 0 waits in MPI_Buffer_detach for rank 1 to receive its "
        "message, tag 4 (test:5); rank 1 has finished");
}

// Steady loops are played as they are: each detach follows from the messages before it.
TEST_CASE("send buffer: loops with it are not left out", "[physics]") {
  const std::string calls = R"(loop 300 {
      ranks 0: MPI_Bsend peer=1 bytes=1MB
      ranks 0: MPI_Buffer_detach
      ranks 1: MPI_Recv peer=0 bytes=1MB | compute 1ms
    })";
  sim::ReplaySettings settings;
  settings.fast_forward = true;
  const auto outcome = simulate_calls(2, calls, star(2), settings);
  CHECK(finish(outcome, 0) == near(300 * (1e-3 + kLatency + wire(1e6)) + 299 * kReceiveOverhead));
  CHECK(outcome.messages == 300);
}

}  // namespace reprise::test
