// SPDX-License-Identifier: MIT
// Messages below `analytic_below` on the flow network: timed as if alone, taking nothing from others.
#include <string>

#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {
namespace {

sim::ReplaySettings below(std::uint64_t bytes) {
  sim::ReplaySettings settings;
  settings.analytic_below = Bytes{bytes};
  return settings;
}

// Two nodes send to a third at once; the receiver takes both.
constexpr const char* kTwoToOne = R"(ranks 0-1: MPI_Send peer=2 bytes=4000
      ranks 2: MPI_Irecv peer=0 bytes=4000 request=0
      ranks 2: MPI_Irecv peer=1 bytes=4000 request=1
      ranks 2: MPI_Waitall requests=[0, 1])";

}  // namespace

// Expectation: each has the whole link, although both cross the receiver's: o_s + L + n/B + 2 o_r.
TEST_CASE("analytic messages: those below the threshold do not share", "[physics]") {
  const auto outcome = simulate_calls(3, kTwoToOne, star(3), below(4001));
  CHECK(finish(outcome, 2) ==
        near(kSendOverhead + kLatency + 4000 / kBandwidth + 2 * kReceiveOverhead));
}

// Expectation: at the threshold they are flows, each with half the link.
TEST_CASE("analytic messages: those at the threshold do share", "[physics]") {
  const auto outcome = simulate_calls(3, kTwoToOne, star(3), below(4000));
  CHECK(finish(outcome, 2) ==
        near(kSendOverhead + kLatency + 8000 / kBandwidth + 2 * kReceiveOverhead));
}

// System: 1 MB goes over the receiver's link while a small message comes.
// Expectation: the large one ends as if alone; the small one too.
TEST_CASE("analytic messages: a large message does not notice small ones", "[physics]") {
  const auto outcome = simulate_calls(3, R"(ranks 0: MPI_Rsend peer=2 bytes=1MB
      ranks 1: MPI_Send peer=2 bytes=1000 | compute 100us
      ranks 2: MPI_Irecv peer=1 bytes=1000 request=0
      ranks 2: MPI_Recv peer=0 bytes=1MB
      ranks 2: MPI_Wait request=0)",
                                      star(3), below(1001));
  CHECK(finish(outcome, 2) ==
        near(kSendOverhead + kLatency + 1e6 / kBandwidth + 2 * kReceiveOverhead));
}

// Expectation: where nobody shares, the threshold changes nothing: equal to the last bit, eager, rendezvous and empty messages.
TEST_CASE("analytic messages: alone, a message takes what it takes", "[physics]") {
  const std::string calls = R"(ranks 0: MPI_Send peer=1 bytes=0
      ranks 0: MPI_Send peer=1 bytes=777
      ranks 0: MPI_Ssend peer=1 bytes=778
      ranks 0: MPI_Send peer=1 bytes=100000
      ranks 1: MPI_Recv peer=0 bytes=0
      ranks 1: MPI_Recv peer=0 bytes=777
      ranks 1: MPI_Recv peer=0 bytes=778
      ranks 1: MPI_Recv peer=0 bytes=100000)";
  const auto as_flows = simulate_calls(2, calls, fat_tree(2, 1));
  const auto alone = simulate_calls(2, calls, fat_tree(2, 1), below(1'000'000));
  CHECK(finish(alone, 0) == finish(as_flows, 0));
  CHECK(finish(alone, 1) == finish(as_flows, 1));
}

// Inside a node and on links that nobody contends for, the narrowest link's bandwidth holds as well.
TEST_CASE("analytic messages: with everything below the threshold, flow is the uncontended network",
          "[physics]") {
  const std::string calls = R"(all: loop 20 {
      all: MPI_Alltoall send_bytes=3000 receive_bytes_per_peer=3000 | compute 10us
      all: MPI_Allreduce send_bytes=64
      })";
  sim::ReplaySettings uncontended;
  uncontended.network = sim::NetworkKind::uncontended;
  for (const auto& machine : {star(4, 2), fat_tree(2, 4), uncontended_star(8)}) {
    const auto reference = simulate_calls(8, calls, machine, uncontended),
               flow = simulate_calls(8, calls, machine, below(1'000'000));
    for (int rank = 0; rank < 8; ++rank) CHECK(finish(flow, rank) == finish(reference, rank));
  }
}

}  // namespace reprise::test
