// SPDX-License-Identifier: MIT
// Closed forms of collective algorithms, uncontended, at powers of two and odd counts. T(n) is an eager message from call to the
// end of its receive, see machines.hpp; docs/MODEL.md has the table.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {
namespace {

platforms::Platform machine(int ranks, const std::string& operation, const std::string& algorithm,
                            Bytes segment = {}) {
  auto platform = uncontended_star(static_cast<std::uint32_t>(ranks));
  platform.collectives.rules.push_back(
      {operation, std::nullopt, algorithm, segment, 0, "/mpi/collectives/" + operation});
  return platform;
}

double predicted(int ranks, const std::string& call, const platforms::Platform& platform) {
  return simulate_calls(ranks, call, platform).predicted_time.value;
}

int log2_up(int n) {
  int levels = 0;
  while ((1 << levels) < n) ++levels;
  return levels;
}

}  // namespace

TEST_CASE("barrier: recursive doubling takes the logarithm of a power of two", "[physics]") {
  for (const int n : {2, 4, 8, 16})
    CHECK(predicted(n, "MPI_Barrier", machine(n, "barrier", "recursive_doubling")) ==
          near(log2_up(n) * eager(0)));
}

// System: 2^k + s ranks; those from 2^k on report to the one 2^k below and are told at the end; the others exchange, at once where
// they need not wait.
// Expectation: the recurrence below, a clock per rank.
TEST_CASE("barrier: recursive doubling with a surplus over a power of two", "[physics]") {
  for (const int n : {3, 5, 6, 9, 11}) {
    const int power = 1 << (log2_up(n + 1) - 1);
    std::vector<double> clock(static_cast<std::size_t>(n), 0.0);
    const auto at = [&](int rank) -> double& { return clock[static_cast<std::size_t>(rank)]; };
    const auto send = [&](int from, int to) {
      at(from) += kSendOverhead;
      at(to) = std::max(at(to), at(from) + wire(0)) + kReceiveOverhead;
    };
    for (int r = power; r < n; ++r) send(r, r - power);
    for (int bit = 1; bit < power; bit *= 2)
      for (int i = 0; i < power; ++i) {
        if ((i & bit) != 0) continue;
        double &a = at(i), &b = at(i | bit);
        const double a_sent = a + kSendOverhead, b_sent = b + kSendOverhead;
        a = std::max(a_sent, b_sent + wire(0)) + kReceiveOverhead;
        b = std::max(b_sent, a_sent + wire(0)) + kReceiveOverhead;
      }
    for (int r = power; r < n; ++r) send(r - power, r);
    const auto outcome =
        simulate_calls(n, "MPI_Barrier", machine(n, "barrier", "recursive_doubling"));
    for (int rank = 0; rank < n; ++rank) CHECK(finish(outcome, rank) == near(at(rank)));
  }
}

TEST_CASE("barrier: the double ring takes two steps for each rank", "[physics]") {
  for (const int n : {2, 3, 4, 7, 8})
    CHECK(predicted(n, "MPI_Barrier", machine(n, "barrier", "double_ring")) ==
          near(2 * n * eager(0)));
}

TEST_CASE("barrier: a tree of 2^k goes up and down", "[physics]") {
  for (const int n : {2, 4, 8}) {
    // Down from the root each level's send is over before the next one starts, and the last one's way is the longest.
    CHECK(predicted(n, "MPI_Barrier", machine(n, "barrier", "tree")) ==
          near(2 * log2_up(n) * eager(0)));
  }
}

TEST_CASE("bcast: a chain hands everything from rank to rank", "[physics]") {
  for (const int n : {2, 3, 4, 7, 8})
    CHECK(predicted(n, "MPI_Bcast peer=1 send_bytes=10kB", machine(n, "bcast", "pipeline")) ==
          near((n - 1) * eager(10e3)));
}

// The root sends to all before it waits: the last message starts after n − 1 overheads.
TEST_CASE("bcast, scatter: linear ones end with the last of the root's sends", "[physics]") {
  for (const int n : {2, 3, 4, 7, 8}) {
    const double expected = (n - 2) * kSendOverhead + eager(10e3);
    CHECK(predicted(n, "MPI_Bcast peer=0 send_bytes=10kB", machine(n, "bcast", "linear")) ==
          near(expected));
    CHECK(predicted(n, "MPI_Scatter peer=0 send_bytes=10kB receive_bytes_per_peer=10kB",
                    machine(n, "scatter", "linear_nb")) == near(expected));
  }
}

// All messages arrive at once; the root takes them one after the other.
TEST_CASE("reduce, gather: linear ones end with the last of the root's receives", "[physics]") {
  for (const int n : {2, 3, 4, 7, 8}) {
    const double expected = kSendOverhead + wire(10e3) + (n - 1) * kReceiveOverhead;
    CHECK(predicted(n, "MPI_Reduce peer=0 send_bytes=10kB", machine(n, "reduce", "linear_nb")) ==
          near(expected));
    CHECK(predicted(n, "MPI_Reduce peer=0 send_bytes=10kB", machine(n, "reduce", "linear")) ==
          near(expected));
    CHECK(predicted(n, "MPI_Gather peer=0 send_bytes=10kB receive_bytes_per_peer=10kB",
                    machine(n, "gather", "linear_nb")) == near(expected));
  }
}

TEST_CASE("allreduce: the ring takes 2(n − 1) steps of an n-th", "[physics]") {
  for (const int n : {2, 3, 4, 7, 8})
    CHECK(predicted(n, "MPI_Allreduce send_bytes=13440", machine(n, "allreduce", "ring")) ==
          near(2 * (n - 1) * eager(13440.0 / n)));
}

TEST_CASE("allreduce: halving and doubling exchange n/2, n/4 … and back, n = 2^k", "[physics]") {
  for (const std::string algorithm : {"rabenseifner", "reduce_scatter_allgather"})
    for (const int n : {2, 4, 8, 16}) {
      double expected = 0;
      for (int half = 2; half <= n; half *= 2) expected += 2 * eager(16e3 / half);
      CHECK(predicted(n, "MPI_Allreduce send_bytes=16kB", machine(n, "allreduce", algorithm)) ==
            near(expected));
    }
}

TEST_CASE("reduce: Rabenseifner's ends with a gather of growing pieces, n = 2^k", "[physics]") {
  for (const int n : {2, 4, 8}) {
    double expected = 0;
    for (int half = 2; half <= n; half *= 2) expected += 2 * eager(16e3 / half) - kSendOverhead;
    // Who receives in the gather has not sent in the same round, but the sender's send overhead is on the way.
    expected += log2_up(n) * kSendOverhead;
    CHECK(predicted(n, "MPI_Reduce peer=0 send_bytes=16kB", machine(n, "reduce", "rabenseifner")) ==
          near(expected));
  }
}

// Large pieces: what the last rank of the tree gets is what the ring waits for, and the others wait for it.
TEST_CASE("bcast: scatter and ring on two ranks exchange nothing twice", "[physics]") {
  // Rank 1 gets its half, then both send their halves: rank 0's arrived while rank 1 still received the first one.
  const auto outcome =
      simulate_calls(2, "MPI_Bcast peer=0 send_bytes=16kB", machine(2, "bcast", "scatter_ring"));
  CHECK(finish(outcome, 0) == near(2 * eager(8e3)));
  CHECK(finish(outcome, 1) == near(eager(8e3) + kSendOverhead + kReceiveOverhead));
  CHECK(outcome.messages == 3);
}

TEST_CASE("allgather: Bruck and recursive doubling send 1, 2, 4 … blocks", "[physics]") {
  for (const std::string algorithm : {"bruck", "recursive_doubling"})
    for (const int n : {2, 3, 4, 5, 7, 8}) {
      double expected = 0;
      for (int have = 1; have < n; have *= 2) expected += eager(1e3 * std::min(have, n - have));
      CHECK(predicted(n, "MPI_Allgather send_bytes=1kB receive_bytes_per_peer=1kB",
                      machine(n, "allgather", algorithm)) == near(expected));
    }
}

TEST_CASE("allgather: neighbour exchange takes n/2 steps, all but the first of two blocks",
          "[physics]") {
  for (const int n : {2, 4, 6, 8}) {
    const int steps = n / 2;
    CHECK(predicted(n, "MPI_Allgather send_bytes=1kB receive_bytes_per_peer=1kB",
                    machine(n, "allgather", "neighbor_exchange")) ==
          near(eager(1e3) + (steps - 1) * eager(2e3)));
  }
}

TEST_CASE("alltoall: Bruck sends half of the blocks in each of log n steps, n = 2^k", "[physics]") {
  for (const int n : {2, 4, 8, 16})
    CHECK(predicted(n, "MPI_Alltoall send_bytes=100 receive_bytes_per_peer=100",
                    machine(n, "alltoall", "bruck")) == near(log2_up(n) * eager(50.0 * n)));
}

TEST_CASE("alltoall: exclusive or takes as long as the ring", "[physics]") {
  for (const int n : {2, 3, 4, 8})
    CHECK(predicted(n, "MPI_Alltoall send_bytes=1kB receive_bytes_per_peer=1kB",
                    machine(n, "alltoall", "exclusive_or")) == near((n - 1) * eager(1e3)));
}

TEST_CASE("reduce_scatter_block: recursive halving and ring", "[physics]") {
  for (const int n : {2, 4, 8}) {
    double expected = 0;
    for (int half = 2; half <= n; half *= 2) expected += eager(16e3 / half);
    CHECK(predicted(n, "MPI_Reduce_scatter_block send_bytes=16kB",
                    machine(n, "reduce_scatter_block", "recursive_halving")) == near(expected));
    CHECK(predicted(n, "MPI_Reduce_scatter_block send_bytes=16kB",
                    machine(n, "reduce_scatter_block", "ring")) == near((n - 1) * eager(16e3 / n)));
  }
}

TEST_CASE("scan: rank by rank", "[physics]") {
  for (const int n : {2, 3, 8})
    CHECK(predicted(n, "MPI_Scan send_bytes=1kB", machine(n, "scan", "linear")) ==
          near((n - 1) * eager(1e3)));
}

TEST_CASE("reductions: combining costs what the platform says", "[physics]") {
  auto platform = machine(4, "allreduce", "recursive_doubling");
  platform.reduction_bandwidth = BytesPerSecond{1e9};
  CHECK(predicted(4, "MPI_Allreduce send_bytes=8kB", platform) == near(2 * (eager(8e3) + 8e-6)));
  CHECK(predicted(4, "MPI_Bcast peer=0 send_bytes=8kB", platform) == near(2 * eager(8e3)));
}

// System: what a rank of a scan receives from below it combines twice, into what it hands on and into its result; from above once.
// Expectation: 2 m/R for each receive from below, m/R for one from above; m/R for each in linear_nb, where nobody hands anything on.
TEST_CASE("scan: data from below is combined twice, as combining costs", "[physics]") {
  const double m = 8e3, combining = m / 1e9;
  const auto with_cost = [](int n, const std::string& operation, const std::string& algorithm) {
    auto platform = machine(n, operation, algorithm);
    platform.reduction_bandwidth = BytesPerSecond{1e9};
    return platform;
  };
  for (const std::string call : {"Scan", "Exscan"}) {
    const std::string operation = call == "Scan" ? "scan" : "exscan",
                      text = "MPI_" + call + " send_bytes=8kB";
    for (const int n : {2, 3, 5})
      CHECK(predicted(n, text, with_cost(n, operation, "linear")) ==
            near((n - 1) * (eager(m) + 2 * combining)));
    const auto pair = simulate_calls(2, text, with_cost(2, operation, "recursive_doubling"));
    CHECK(finish(pair, 0) == near(eager(m) + combining));
    CHECK(finish(pair, 1) == near(eager(m) + 2 * combining));
    const auto all = simulate_calls(3, text, with_cost(3, operation, "linear_nb"));
    CHECK(finish(all, 0) == near(2 * kSendOverhead));
    CHECK(finish(all, 1) == near(eager(m) + combining));
    // Rank 0's message to rank 2 leaves second, at the time of rank 1's.
    CHECK(finish(all, 2) == near(kSendOverhead + wire(m) + 2 * (kReceiveOverhead + combining)));
  }
}

// Two nodes of two ranks: inside the nodes, between their first ranks, inside again.
TEST_CASE("allreduce: two levels", "[physics]") {
  auto platform = star(2, 2);
  platform.collectives.rules.push_back({"allreduce", std::nullopt, "two_level", Bytes{}, 0, ""});
  const double inside = kSendOverhead + kNodeLatency + 8e3 / kNodeBandwidth + kReceiveOverhead;
  CHECK(predicted(4, "MPI_Allreduce send_bytes=8kB", platform) == near(2 * inside + eager(8e3)));
}

// System: six members, one element of 8 bytes for each, and one less.
// Expectation: 2·(n − 1) steps of an element each; with fewer elements than members recursive doubling, four members and a surplus of two.
TEST_CASE("allreduce: a ring needs an element for each member", "[physics]") {
  const auto ring = machine(6, "allreduce", "ring"),
             doubling = machine(6, "allreduce", "recursive_doubling");
  CHECK(predicted(6, "MPI_Allreduce send_bytes=48 element_bytes=8", ring) == near(10 * eager(8)));
  CHECK(predicted(6, "MPI_Allreduce send_bytes=40 element_bytes=8", ring) ==
        predicted(6, "MPI_Allreduce send_bytes=40 element_bytes=8", doubling));
}

}  // namespace reprise::test
