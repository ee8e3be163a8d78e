// SPDX-License-Identifier: MIT
#include <algorithm>

#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {

// System: even and odd ranks in communicators of their own, the odd one in reverse order.
TEST_CASE("sub-communicator: peers are its own ranks", "[physics]") {
  const auto outcome = simulate(4, R"(communicator 2: 0 2
      communicator 3: 3 1
      thread 0 {
        ranks 0: MPI_Send comm=2 peer=1 bytes=1kB
        ranks 2: MPI_Recv comm=2 peer=0 bytes=1kB
        ranks 3: MPI_Send comm=3 peer=1 bytes=2kB
        ranks 1: MPI_Recv comm=3 peer=0 bytes=2kB
      })",
                                star(4));
  CHECK(finish(outcome, 2) == near(eager(1e3)));
  CHECK(finish(outcome, 1) == near(eager(2e3)));
}

TEST_CASE("sub-communicator: a collective is its members' affair", "[physics]") {
  const auto outcome = simulate(4, R"(communicator 2: 0 2
      thread 0 {
        ranks 0,2: MPI_Allreduce comm=2 send_bytes=1kB
        ranks 1,3: MPI_Sendrecv peer=^2 bytes=4kB receive_peer=^2 receive_bytes=4kB
      })",
                                star(4));
  CHECK(finish(outcome, 0) == near(eager(1e3)));
  CHECK(finish(outcome, 3) == near(eager(4e3)));
}

// System: the same members twice; messages sent on one are not received on the other.
TEST_CASE("duplicate: its messages are kept apart from the original's", "[physics]") {
  const auto outcome = simulate(2, R"(communicator 2 copy 1: 0 1
      thread 0 {
        MPI_Comm_dup comm=0 new_comm=2
        ranks 0: MPI_Send comm=2 peer=1 bytes=8kB
        ranks 0: MPI_Send comm=0 peer=1 bytes=1kB
        ranks 1: MPI_Recv comm=0 peer=0 bytes=1kB
        ranks 1: MPI_Recv comm=2 peer=0 bytes=8kB
        MPI_Comm_free comm=2
      })",
                                uncontended_star(2));
  const double made = eager(0);
  CHECK(finish(outcome, 0) == near(made + 2 * kSendOverhead));
  // The second message is 7 kB shorter and overtakes; the first one's receive then waits for its tail.
  const double first_tail = made + kSendOverhead + wire(8e3);
  CHECK(finish(outcome, 1) ==
        near(std::max(first_tail, made + kSendOverhead + eager(1e3)) + kReceiveOverhead));
}

TEST_CASE("making a communicator: costs its participants a barrier", "[physics]") {
  const auto outcome = simulate(4, R"(communicator 2: 0 1
      thread 0 {
        MPI_Comm_split new_comm={0-1: 2; 2-3: none}
        ranks 0-1: MPI_Comm_create_group new_comm=2
      })",
                                star(4));
  CHECK(finish(outcome, 2) == near(2 * eager(0)));
  CHECK(finish(outcome, 0) == near(3 * eager(0)));
}

TEST_CASE("making a communicator: waits for all of the parent's ranks", "[physics]") {
  const auto outcome = simulate(4, R"(communicator 2: 0 1
      thread 0 {
        MPI_Comm_split new_comm={0-1: 2; 2-3: none} | compute {0-2: 0us; 3: 1ms}
      })",
                                star(4));
  for (int rank = 0; rank < 4; ++rank) CHECK(finish(outcome, rank) > 1e-3);
}

TEST_CASE("intercommunicator: messages go to the remote group", "[physics]") {
  const auto outcome = simulate(4, R"(communicator 2: 0 1 | 2 3
      thread 0 {
        ranks 1: MPI_Send comm=2 peer=0 bytes=1kB
        ranks 2: MPI_Recv comm=2 peer=1 bytes=1kB
      })",
                                star(4));
  CHECK(finish(outcome, 2) == near(eager(1e3)));
}

// System: root 1 of the group {0, 1} to the group {2, 3, 4}; tree over root and receivers, links that never contend.
TEST_CASE("intercommunicator: bcast reaches the remote group from the root", "[physics]") {
  const auto outcome = simulate(5, R"(communicator 2: 0 1 | 2 3 4
      thread 0 {
        ranks 0: MPI_Bcast comm=2 peer=null send_bytes=0
        ranks 1: MPI_Bcast comm=2 peer=root send_bytes=10kB
        ranks 2-4: MPI_Bcast comm=2 peer=1 send_bytes=10kB
      })",
                                uncontended_star(5));
  CHECK(finish(outcome, 0) == 0);
  CHECK(finish(outcome, 1) == near(2 * kSendOverhead));
  // Tree of four: the root sends to its second child (rank 3) first, that one to rank 4.
  CHECK(finish(outcome, 3) == near(eager(10e3) + kSendOverhead));
  CHECK(finish(outcome, 4) == near(2 * eager(10e3)));
  CHECK(finish(outcome, 2) == near(kSendOverhead + eager(10e3)));
}

// System: a periodic row of three on links that never contend; everyone sends a block each way.
// Expectation: the second block leaves o_s after the first and is there before the first one's o_r is over.
TEST_CASE("neighborhood: alltoall on a periodic row sends one block each way", "[physics]") {
  const auto outcome = simulate(3, R"(communicator 2: 0 1 2
      thread 0 {
        MPI_Cart_create new_comm=2 sources=[-1, +1] destinations=[-1, +1]
        MPI_Neighbor_alltoall comm=2 send_bytes=8kB receive_bytes_per_peer=8kB
      })",
                                uncontended_star(3));
  const double made = 2 * eager(0);
  CHECK(outcome.predicted_time.value == near(made + eager(8e3) + kReceiveOverhead));
  CHECK(outcome.messages == 6 + 6);
}

TEST_CASE("neighborhood: open ends of a row exchange nothing", "[physics]") {
  const auto outcome = simulate(2, R"(communicator 2: 0 1
      thread 0 {
        ranks 0: MPI_Cart_create new_comm=2 sources=[null, 1] destinations=[null, 1]
        ranks 1: MPI_Cart_create new_comm=2 sources=[0, null] destinations=[0, null]
        MPI_Neighbor_allgather comm=2 send_bytes=8kB receive_bytes_per_peer=8kB
      })",
                                star(2));
  CHECK(outcome.predicted_time.value == near(eager(0) + eager(8e3)));
}

}  // namespace reprise::test
