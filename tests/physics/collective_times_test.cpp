// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {
namespace {

std::uint32_t nodes(int ranks) { return static_cast<std::uint32_t>(ranks); }

int log2_up(int n) {
  int levels = 0;
  while ((1 << levels) < n) ++levels;
  return levels;
}

// When node v of a binomial tree has the data, given that v has it at `time`: children from the largest subtree down, each send
// costs the sender `send` before the next one starts, and arrives `arrive` after its start.
double last_arrival(int v, int levels, int n, double time, double send, double arrive) {
  double last = time;
  double now = time;
  for (int k = levels - 1; k >= 0; --k) {
    if (v + (1 << k) >= n) continue;
    last = std::max(last, last_arrival(v + (1 << k), k, n, now + arrive, send, arrive));
    now += send;
  }
  return std::max(last, now);
}

}  // namespace

// System: n nodes whose links never contend; eager messages of m bytes.
// Expectation: the binomial tree of the schedule, unrolled here on its own: a send costs o_s, a child has the data
// o_s + L + m/B + o_r after its parent's turn for it.
TEST_CASE("bcast: eager binomial tree", "[physics]") {
  for (const int n : {2, 3, 4, 5, 6, 7, 8, 9, 16}) {
    const auto outcome =
        simulate_calls(n, "MPI_Bcast peer=" + std::to_string(n / 2) + " send_bytes=10kB",
                       uncontended_star(nodes(n)));
    CHECK(outcome.predicted_time.value ==
          near(last_arrival(0, log2_up(n), n, 0, kSendOverhead, eager(10e3))));
    CHECK(outcome.messages == static_cast<std::uint64_t>(n - 1));
  }
}

// Expectation: a rendezvous send keeps its sender until it is delivered; the receivers have posted in time.
TEST_CASE("bcast: rendezvous binomial tree", "[physics]") {
  for (const int n : {2, 3, 4, 5, 6, 7, 8, 9, 16}) {
    const auto outcome =
        simulate_calls(n, "MPI_Bcast peer=0 send_bytes=1MB", uncontended_star(nodes(n)));
    const double delivered = rendezvous(1e6) - kReceiveOverhead;
    CHECK(outcome.predicted_time.value ==
          near(last_arrival(0, log2_up(n), n, 0, delivered, rendezvous(1e6))));
  }
}

// System: n = 2^k ranks: in each of k rounds everyone exchanges with one partner.
TEST_CASE("allreduce: recursive doubling takes the logarithm of the ranks", "[physics]") {
  for (const int n : {2, 4, 8, 16}) {
    const auto outcome = simulate_calls(n, "MPI_Allreduce send_bytes=8kB", star(nodes(n)));
    CHECK(outcome.predicted_time.value == near(log2_up(n) * eager(8e3)));
  }
}

// System: n = 2^k + s ranks on links that never contend. The even ones of the first 2s hand their data to the right neighbour and
// get the result from it at the end; the odd ones and the rest do the doubling, at once where they need not wait.
// Expectation: the recurrence below, a clock per rank: send at clock + o_s, then the partner's message and o_r.
TEST_CASE("allreduce: surplus over a power of two is folded in", "[physics]") {
  const double m = 8e3;
  for (const int n : {3, 5, 6, 7, 11}) {
    std::vector<double> clock(static_cast<std::size_t>(n), 0.0);
    const auto at = [&](int rank) -> double& { return clock[static_cast<std::size_t>(rank)]; };
    const int power = 1 << (log2_up(n + 1) - 1), surplus = n - power;
    const auto send = [&](int from, int to) {
      at(from) += kSendOverhead;
      at(to) = std::max(at(to), at(from) + wire(m)) + kReceiveOverhead;
    };
    const auto rank_of = [&](int i) { return i < surplus ? 2 * i + 1 : i + surplus; };
    for (int r = 0; r < 2 * surplus; r += 2) send(r, r + 1);
    for (int bit = 1; bit < power; bit *= 2)
      for (int i = 0; i < power; ++i) {
        if ((i & bit) != 0) continue;
        double &a = at(rank_of(i)), &b = at(rank_of(i | bit));
        const double a_sent = a + kSendOverhead, b_sent = b + kSendOverhead;
        a = std::max(a_sent, b_sent + wire(m)) + kReceiveOverhead;
        b = std::max(b_sent, a_sent + wire(m)) + kReceiveOverhead;
      }
    for (int r = 0; r < 2 * surplus; r += 2) send(r + 1, r);
    const auto outcome =
        simulate_calls(n, "MPI_Allreduce send_bytes=8kB", uncontended_star(nodes(n)));
    for (int rank = 0; rank < n; ++rank) CHECK(finish(outcome, rank) == near(at(rank)));
  }
}

TEST_CASE("barrier: dissemination takes the logarithm of the ranks, rounded up", "[physics]") {
  for (const int n : {1, 2, 3, 4, 7, 8, 9}) {
    const auto outcome = simulate_calls(n, "MPI_Barrier", star(nodes(n)));
    CHECK(outcome.predicted_time.value == near(log2_up(n) * eager(0)));
  }
}

TEST_CASE("barrier: nobody leaves before the last one enters", "[physics]") {
  const auto outcome = simulate_calls(4, "MPI_Barrier | compute {0-2: 0us; 3: 1ms}", star(4));
  for (int rank = 0; rank < 4; ++rank) CHECK(finish(outcome, rank) >= 1e-3);
  CHECK(outcome.ranks[0].wait.value > 0.9e-3);
  CHECK(outcome.ranks[3].wait.value == near(0));
}

TEST_CASE("allgather: the ring takes ranks minus one steps of a block", "[physics]") {
  for (const int n : {2, 3, 5, 8}) {
    const auto outcome = simulate_calls(
        n, "MPI_Allgather send_bytes=6kB receive_bytes_per_peer=6kB", star(nodes(n)));
    CHECK(outcome.predicted_time.value == near((n - 1) * eager(6e3)));
  }
}

TEST_CASE("alltoall: pairwise exchange takes ranks minus one steps of a block", "[physics]") {
  for (const int n : {2, 3, 4, 7}) {
    const auto outcome = simulate_calls(
        n, "MPI_Alltoall send_bytes=200kB receive_bytes_per_peer=200kB", star(nodes(n)));
    CHECK(outcome.predicted_time.value == near((n - 1) * rendezvous(200e3)));
  }
}

TEST_CASE("reduce_scatter_block: pairwise exchange of blocks", "[physics]") {
  const auto outcome = simulate_calls(4, "MPI_Reduce_scatter_block send_bytes=8kB", star(4));
  CHECK(outcome.predicted_time.value == near(3 * eager(2e3)));
}

// System: gather of m bytes over a binomial tree of 4: two messages of m, then one of 2m, on links that never contend.
TEST_CASE("gather: inner nodes hand on what their subtrees sent", "[physics]") {
  const auto outcome =
      simulate_calls(4, "MPI_Gather peer=0 send_bytes=1kB receive_bytes_per_peer={0: 1kB; 1-3: 0}",
                     uncontended_star(4));
  CHECK(outcome.predicted_time.value == near(eager(1e3) + eager(2e3)));
  CHECK(finish(outcome, 3) == near(kSendOverhead));
}

TEST_CASE("scatterv: nothing is sent to ranks that get nothing", "[physics]") {
  const auto outcome = simulate_calls(
      3, R"(ranks 0: MPI_Scatterv peer=0 receive_bytes_per_peer=8 send_bytes_list=[8, 0, 3000]
      ranks 1-2: MPI_Scatterv peer=0 receive_bytes_per_peer={1: 0; 2: 3000} send_bytes_list=[])",
      star(3));
  CHECK(outcome.messages == 1);
  CHECK(finish(outcome, 1) == 0);
  CHECK(finish(outcome, 2) == near(eager(3e3)));
}

TEST_CASE("alltoallv: each pair exchanges its own size", "[physics]") {
  const auto outcome = simulate_calls(
      2,
      R"(MPI_Alltoallv send_bytes_list={0: [0, 1000]; 1: [9000, 0]} receive_bytes_list={0: [0, 9000]; 1: [1000, 0]})",
      star(2));
  CHECK(finish(outcome, 0) == near(eager(9e3)));
  CHECK(finish(outcome, 1) == near(eager(1e3)));
}

TEST_CASE("scan: recursive doubling gives every rank its prefix after the logarithm of the ranks",
          "[physics]") {
  const auto outcome = simulate_calls(8, "MPI_Scan send_bytes=1kB", star(8));
  CHECK(outcome.predicted_time.value == near(3 * eager(1e3)));
}

// System: the collective runs while the ranks compute for longer than it takes.
TEST_CASE("iallreduce: overlaps with computing", "[physics]") {
  const auto outcome = simulate_calls(4, R"(MPI_Iallreduce send_bytes=8kB request=0
      MPI_Wait request=0 | compute 1ms)",
                                      star(4));
  CHECK(outcome.predicted_time.value == near(1e-3));
  CHECK(outcome.messages == 8);
}

TEST_CASE("ibarrier: its wait ends when the collective does", "[physics]") {
  const auto outcome = simulate_calls(2, R"(MPI_Ibarrier request=0 | compute {0: 0us; 1: 1ms}
      MPI_Wait request=0)",
                                      star(2));
  CHECK(finish(outcome, 0) == near(1e-3 + eager(0)));
  CHECK(outcome.ranks[0].wait.value == near(1e-3 + kSendOverhead));
}

TEST_CASE("self: collectives on MPI_COMM_SELF take no time", "[physics]") {
  const auto outcome = simulate_calls(
      2, "MPI_Allreduce comm=1 send_bytes=8kB\nMPI_Bcast comm=1 peer=0 send_bytes=9", star(2));
  CHECK(outcome.predicted_time.value == 0);
}

}  // namespace reprise::test
