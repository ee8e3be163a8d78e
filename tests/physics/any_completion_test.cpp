// SPDX-License-Identifier: MIT
// Calls that complete any or some of their requests take what completes first in the simulation.
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {
namespace {

// Rank 1's message comes at once, rank 2's after 1 ms.
const std::string kTwoReceives = R"(ranks 1: MPI_Send peer=0 bytes=8
      ranks 2: MPI_Send peer=0 bytes=8 | compute 1ms
      ranks 0: MPI_Irecv peer=1 bytes=8 request=0
      ranks 0: MPI_Irecv peer=2 bytes=8 request=1
)";

}  // namespace

TEST_CASE("waitany: completes the request that is complete first in the simulation", "[physics]") {
  const auto as_recorded =
      simulate_calls(3, kTwoReceives + R"(ranks 0: MPI_Waitany requests=[0, 1] completed=[0]
      ranks 0: MPI_Wait request=1 | compute 5ms)",
                     star(3));
  const auto other =
      simulate_calls(3, kTwoReceives + R"(ranks 0: MPI_Waitany requests=[0, 1] completed=[1]
      ranks 0: MPI_Wait request=0 | compute 5ms)",
                     star(3));
  CHECK(finish(as_recorded, 0) == near(eager(8) + 5e-3 + kReceiveOverhead));
  CHECK(finish(other, 0) == near(eager(8) + 5e-3 + kReceiveOverhead));
  CHECK(as_recorded.reordered_completions == 0);
  CHECK(other.reordered_completions == 1);
}

// System: what each of three messages needs is computed while the next ones are on their way, in the order of their coming.
TEST_CASE("waitany: a loop overlaps its work with what is still to come, in simulated order",
          "[physics]") {
  const auto outcome = simulate_calls(4, R"(ranks 1: MPI_Send peer=0 bytes=8 | compute 5ms
      ranks 2: MPI_Send peer=0 bytes=8 | compute 3ms
      ranks 3: MPI_Send peer=0 bytes=8 | compute 1ms
      ranks 0: MPI_Irecv peer=1 bytes=8 request=0
      ranks 0: MPI_Irecv peer=2 bytes=8 request=1
      ranks 0: MPI_Irecv peer=3 bytes=8 request=2
      ranks 0: MPI_Waitany requests=[0, 1, 2] completed=[0]
      ranks 0: MPI_Waitany requests=[1, 2] completed=[1] | compute 2ms
      ranks 0: MPI_Waitany requests=[2] completed=[2] | compute 2ms
      ranks 0: MPI_Barrier comm=1 | compute 2ms)",
                                      star(4));
  // The second and third have come when the work on the one before is done.
  CHECK(finish(outcome, 0) == near(1e-3 + eager(8) + 3 * 2e-3 + 2 * kReceiveOverhead));
  CHECK(outcome.reordered_completions == 1);
}

TEST_CASE("waitany: of requests complete at one moment the recorded one is taken", "[physics]") {
  const auto outcome = simulate_calls(3, R"(ranks 1-2: MPI_Send peer=0 bytes=8
      ranks 0: MPI_Irecv peer=1 bytes=8 request=0
      ranks 0: MPI_Irecv peer=2 bytes=8 request=1
      ranks 0: MPI_Waitany requests=[0, 1] completed=[1]
      ranks 0: MPI_Waitany requests=[0] completed=[0])",
                                      uncontended_star(3));
  CHECK(outcome.reordered_completions == 0);
  CHECK(finish(outcome, 0) == near(eager(8) + kReceiveOverhead));
}

TEST_CASE("waitsome: takes as many as were recorded, the first to complete", "[physics]") {
  const auto outcome = simulate_calls(4, R"(ranks 1: MPI_Send peer=0 bytes=8 | compute 5ms
      ranks 2: MPI_Send peer=0 bytes=8 | compute 3ms
      ranks 3: MPI_Send peer=0 bytes=8 | compute 1ms
      ranks 0: MPI_Irecv peer=1 bytes=8 request=0
      ranks 0: MPI_Irecv peer=2 bytes=8 request=1
      ranks 0: MPI_Irecv peer=3 bytes=8 request=2
      ranks 0: MPI_Testsome requests=[0..2] completed=[0, 1] polls=3
      ranks 0: MPI_Send peer=1 tag=1 bytes=8
      ranks 0: MPI_Waitsome requests=[2] completed=[2]
      ranks 1: MPI_Recv peer=0 tag=1 bytes=8)",
                                      star(4));
  CHECK(finish(outcome, 1) ==
        near(std::max(5e-3 + kSendOverhead, 3e-3 + eager(8) + kSendOverhead + wire(8)) +
             kReceiveOverhead));
  CHECK(finish(outcome, 0) == near(5e-3 + eager(8)));
}

// System: what completes is started again, as a server does; rank 1 sends three messages, rank 2 one.
// Expectation: the recording's order is 2, 1, 1, 1; here all of rank 1's come first, and each slot is started as often as recorded.
TEST_CASE("waitany: persistent requests keep to their slots whatever completes first",
          "[physics]") {
  const auto outcome = simulate_calls(3, R"(ranks 1: loop 3 {
        MPI_Send peer=0 bytes=1kB
      }
      ranks 2: MPI_Send peer=0 bytes=2kB | compute 1ms
      ranks 0: MPI_Recv_init peer=1 bytes=1kB request=0
      ranks 0: MPI_Recv_init peer=2 bytes=2kB request=1
      ranks 0: MPI_Startall requests=[0, 1]
      ranks 0: MPI_Waitany requests=[0, 1] completed=[1]
      ranks 0: MPI_Waitany requests=[0] completed=[0]
      ranks 0: MPI_Start request=0
      ranks 0: MPI_Waitany requests=[0] completed=[0]
      ranks 0: MPI_Start request=0
      ranks 0: MPI_Waitany requests=[0] completed=[0])",
                                      star(3));
  CHECK(finish(outcome, 0) == near(1e-3 + eager(2e3) + 2 * kReceiveOverhead));
  CHECK(outcome.reordered_completions == 1);
}

TEST_CASE("waitany: a send is complete before a late receive", "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Irecv peer=1 bytes=8 request=0
      ranks 0: MPI_Isend peer=1 bytes=8 request=1
      ranks 0: MPI_Waitany requests=[0, 1] completed=[0]
      ranks 0: MPI_Waitany requests=[1] completed=[1] | compute 2ms
      ranks 1: MPI_Recv peer=0 bytes=8
      ranks 1: MPI_Send peer=0 bytes=8 | compute 1ms)",
                                      star(2));
  CHECK(finish(outcome, 0) == near(kSendOverhead + 2e-3 + kReceiveOverhead));
}

}  // namespace reprise::test
