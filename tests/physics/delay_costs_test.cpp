// SPDX-License-Identifier: MIT
// Delay costs of programs whose delays are known: who computed what too long, and how much others waited for it.
#include "sim/experiment/details/delay_costs.hpp"

#include <string>

#include "sim/experiment/answer.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

sim::DelayCostSums costs_of(int ranks, const std::string& calls, const platforms::Platform& machine,
                            const sim::ReplaySettings& settings = {}) {
  const auto trace = trace_io::assemble(
      "reprise-text 1\nranks " + std::to_string(ranks) + "\nthread 0 {\n" + calls + "\n}\n",
      "test");
  return *sim::replayed(trace, machine, settings, {.details = sim::parse_details("delay-costs")})
              .figure<sim::DelayCostSums>();
}

// Of the rank, over all calls that it computes before.
sim::DelayCost of_rank(const sim::DelayCostSums& sums, std::int32_t rank) {
  sim::DelayCost all;
  for (const auto& one : sums.delays)
    if (one.rank == rank) {
      all.direct += one.direct;
      all.chain += one.chain;
      all.procedure = one.procedure;
      all.most_procedure = one.most_procedure;
    }
  return all;
}

double sum_of(const sim::DelayCostSums& sums) {
  double sum = sums.messages;
  for (const auto& one : sums.delays) sum += one.direct + one.chain;
  return sum;
}

}  // namespace

// System: rank 1 waits for 100 µs of rank 0's computing and its send's overhead.
TEST_CASE("delay costs: a late sender's computing is waited for directly", "[physics]") {
  const auto sums = costs_of(2, R"(ranks 0: MPI_Send peer=1 bytes=8 | compute 100us
    ranks 1: MPI_Recv peer=0 bytes=8)",
                             star(2));
  const auto sender = of_rank(sums, 0);
  CHECK(sender.direct == near(100e-6));
  CHECK(sender.chain == 0);
  CHECK(sender.procedure == "MPI_Send");
  CHECK(sender.most_procedure == "MPI_Recv");
  CHECK(sums.messages == near(kSendOverhead));
  CHECK(sums.all == near(100e-6 + kSendOverhead));
}

// System: rank 2 sends to rank 1 after 100 µs, which at once sends to rank 0: two ranks wait for the 100 µs, one of them in a chain.
TEST_CASE("delay costs: what is handed on is found where it began", "[physics]") {
  const auto sums = costs_of(3, R"(ranks 2: MPI_Send peer=1 bytes=8 | compute 100us
    ranks 1: MPI_Recv peer=2 bytes=8
    ranks 1: MPI_Send peer=0 bytes=8
    ranks 0: MPI_Recv peer=1 bytes=8)",
                             star(3));
  const auto first = of_rank(sums, 2);
  CHECK(first.direct == near(100e-6));
  CHECK(first.chain == near(100e-6));
  CHECK(of_rank(sums, 1).direct == 0);
  // The rest of rank 0's waiting: the first message's way, and both overheads.
  CHECK(sums.messages == near(2 * kSendOverhead + wire(8) + kReceiveOverhead + kSendOverhead));
  CHECK(sum_of(sums) == near(sums.all));
}

// System: a ring of eight ranks that exchange with both neighbours ten times; rank 3 computes 130 µs each time, the others 100 µs. Its delay goes
// around as a wave, and the paths to those that wait lead through ranks that compute no longer than they do themselves: all of it is rank 3's.
TEST_CASE("delay costs: ranks that hand a delay on and compute as usual have none", "[physics]") {
  const auto sums = costs_of(8, R"(loop 10 {
    MPI_Irecv peer=-1 bytes=8 request=0 | compute {0-2,4-7: 100us; 3: 130us}
    MPI_Irecv peer=+1 bytes=8 request=1
    MPI_Isend peer=+1 bytes=8 request=2
    MPI_Isend peer=-1 bytes=8 request=3
    MPI_Waitall requests=[0..3]
    })",
                             star(8));
  CHECK(of_rank(sums, 3).chain > 0);
  for (const std::int32_t rank : {0, 1, 2, 4, 5, 6, 7})
    CHECK(of_rank(sums, rank).direct + of_rank(sums, rank).chain < 1e-9);
  CHECK(of_rank(sums, 3).direct + of_rank(sums, 3).chain + sums.messages == near(sums.all));
}

TEST_CASE("delay costs: a barrier's are what its last member computes more", "[physics]") {
  const auto sums = costs_of(2, "MPI_Barrier | compute {0: 40us; 1: 100us}", star(2));
  CHECK(of_rank(sums, 1).direct == near(60e-6));
  CHECK(sums.all == near(60e-6));
}

// System: all compute before one call, rank 2 60 µs more than the others, who all wait for it, two of them after a round among themselves.
TEST_CASE("delay costs: three wait at a barrier for what the fourth computes more", "[physics]") {
  const auto sums = costs_of(4, "MPI_Barrier | compute {0,1,3: 40us; 2: 100us}", star(4));
  const auto late = of_rank(sums, 2);
  CHECK(late.direct <= 3 * 60e-6);
  CHECK(late.direct > 3 * 60e-6 - 2 * eager(0));
  CHECK(late.chain == 0);
  CHECK(late.procedure == "MPI_Barrier");
  for (const int rank : {0, 1, 3}) CHECK(of_rank(sums, rank).direct == 0);
  CHECK(sum_of(sums) == near(sums.all));
}

TEST_CASE("delay costs: an uneven allreduce costs what its slowest member computes more",
          "[physics]") {
  platforms::Platform machine = uncontended_star(4);
  machine.collectives.rules = {{.operation = "allreduce",
                                .up_to = {},
                                .algorithm = "recursive_doubling",
                                .segment = {},
                                .pointer = {}}};
  const auto pair =
      costs_of(2, "MPI_Allreduce send_bytes=8000 | compute {0: 10us; 1: 100us}", machine);
  CHECK(of_rank(pair, 1).direct == near(90e-6));
  const auto sums =
      costs_of(4, "MPI_Allreduce send_bytes=8000 | compute {0,1,3: 10us; 2: 100us}", machine);
  CHECK(of_rank(sums, 2).direct <= 3 * 90e-6);
  CHECK(of_rank(sums, 2).direct > 3 * 90e-6 - 2 * eager(8000));
  CHECK(of_rank(sums, 2).chain == 0);
  CHECK(sum_of(sums) == near(sums.all));
}

// System: eight ranks that compute 10 µs more each. In the rounds of recursive doubling each waits for other partners before the last one's part arrives, but
// none would wait for less if these were quicker: all but the messages is put down to rank 7, which waits for nobody.
TEST_CASE("delay costs: partners of an algorithm's rounds are not to blame for the last member",
          "[physics]") {
  const std::string call = GENERATE(as<std::string>(), "MPI_Allreduce send_bytes=8", "MPI_Barrier",
                                    "MPI_Alltoall send_bytes=8 receive_bytes_per_peer=8",
                                    "MPI_Allgather send_bytes=8 receive_bytes_per_peer=8");
  const auto sums = costs_of(8,
                             call +
                                 " | compute {0: 100us; 1: 110us; 2: 120us; 3: 130us; 4: 140us; "
                                 "5: 150us; 6: 160us; 7: 170us}",
                             star(8));
  constexpr double kDelays = (70 + 60 + 50 + 40 + 30 + 20 + 10) * 1e-6;
  CHECK(of_rank(sums, 7).direct <= kDelays * (1 + 1e-9));
  CHECK(of_rank(sums, 7).direct > kDelays - 7 * 3 * eager(8));
  for (int rank = 0; rank < 7; ++rank) {
    CAPTURE(call, rank);
    CHECK(of_rank(sums, rank).direct + of_rank(sums, rank).chain == 0);
  }
  CHECK(sum_of(sums) == near(sums.all));
}

// System: the same into the root of a gathering, whose children come one after the other.
TEST_CASE("delay costs: the root of a gathering waits for its last member", "[physics]") {
  const auto sums = costs_of(4,
                             "MPI_Gather peer=0 send_bytes=8 receive_bytes_per_peer=8 | compute "
                             "{0: 100us; 1: 110us; 2: 120us; 3: 130us}",
                             star(4));
  CHECK(of_rank(sums, 3).direct > 0);
  CHECK(of_rank(sums, 1).direct == 0);
  CHECK(sum_of(sums) == near(sums.all));
}

// System: rank 0 posts its receive 50 µs late.
TEST_CASE("delay costs: a late receiver delays its sender", "[physics]") {
  const auto sums = costs_of(2, R"(ranks 0: MPI_Recv peer=1 bytes=100kB | compute 50us
    ranks 1: MPI_Send peer=0 bytes=100kB)",
                             star(2));
  CHECK(of_rank(sums, 0).direct == near(50e-6 - kSendOverhead));
  CHECK(sum_of(sums) == near(sums.all));
}

// Expectation: a loop that is left out costs what it would cost played.
TEST_CASE("delay costs: iterations left out cost what those watched do", "[physics]") {
  const std::string loop = "loop 400 {\nMPI_Barrier | compute {0,1,3: 40us; 2: 100us}\n}";
  sim::ReplaySettings settings;
  settings.deltas = sim::Deltas::mean;
  const auto jumped = costs_of(4, loop, star(4), settings);
  settings.fast_forward = false;
  const auto whole = costs_of(4, loop, star(4), settings);
  CHECK(jumped.all == near(whole.all));
  CHECK(of_rank(jumped, 2).direct == near(of_rank(whole, 2).direct));
  CHECK(of_rank(whole, 2).direct > 0.9 * 400 * 3 * 60e-6);
}

}  // namespace reprise::test
