// SPDX-License-Identifier: MIT
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {
namespace {

sim::ReplaySettings with(sim::Deltas deltas, std::uint64_t seed = 1, double scale = 1) {
  sim::ReplaySettings settings;
  settings.deltas = deltas;
  settings.seed = seed;
  settings.compute_scale = scale;
  return settings;
}

// Two ranks of one class, 60 executions each: 120 durations in three bins, 60·10 us + 36·20 us + 24·100 us = 3720 us.
const std::string kBinned = R"(timing histogram
  bins 3
  thread 0 {
    loop 60 {
      MPI_Send peer=null bytes=8 | compute (limit=3 count=120 sum=3720000 squares=0:260400000000 min=10000@0 max=100000@1 bins=[60/600000, 36/720000, 24/2400000])
    }
  })";

}  // namespace

TEST_CASE("compute scale: multiplies computing and nothing else", "[physics]") {
  const std::string calls = R"(loop 10 {
      ranks 0: MPI_Send peer=1 bytes=1kB | compute 100us
      ranks 1: MPI_Recv peer=0 bytes=1kB
      })";
  const auto outcome = simulate_calls(2, calls, star(2), with(sim::Deltas::mean, 1, 2.5));
  CHECK(outcome.ranks[0].compute.value == near(10 * 250e-6));
  CHECK(finish(outcome, 1) == near(10 * 250e-6 + 9 * kSendOverhead + eager(1e3)));
}

TEST_CASE("deltas: the mean is played each time", "[physics]") {
  const auto outcome = simulate(2, kBinned, star(2), with(sim::Deltas::mean));
  CHECK(outcome.ranks[0].compute.value == near(60 * 31e-6));
  CHECK(outcome.ranks[1].compute.value == near(60 * 31e-6));
}

TEST_CASE("deltas: the distribution's total is exact over the ranks of its class", "[physics]") {
  const auto outcome = simulate(2, kBinned, star(2), with(sim::Deltas::distribution));
  CHECK(outcome.ranks[0].compute.value + outcome.ranks[1].compute.value == near(3720e-6));
  CHECK(outcome.ranks[0].compute.value == Approx(1860e-6).epsilon(0.1));
}

// As kBinned, but rank 1 took twice as long each time: of 3720 us rank 0 has a third, rank 1 two thirds.
TEST_CASE(
    "deltas: ranks of a class keep their own totals by their scale factors, whatever bins fall to "
    "them",
    "[physics]") {
  std::string scaled = kBinned;
  scaled.replace(scaled.find("24/2400000]"), 11, "24/2400000] scale=0-1: (100, 200) scaled=18000");
  for (const auto deltas : {sim::Deltas::mean, sim::Deltas::distribution}) {
    const auto outcome = simulate(2, scaled, star(2), with(deltas));
    CHECK(outcome.ranks[0].compute.value == Approx(1240e-6).epsilon(1e-12));
    CHECK(outcome.ranks[1].compute.value == Approx(2480e-6).epsilon(1e-12));
  }
  const auto sampled = simulate(2, scaled, star(2), with(sim::Deltas::sample));
  CHECK(sampled.ranks[0].compute.value == Approx(1240e-6).epsilon(0.5));
  CHECK(sampled.ranks[1].compute.value == Approx(2480e-6).epsilon(0.5));
}

// Rank 0 takes one of three executions: with scale factors 1 and 1 the scaled count is 3·(1·1 + 2·1)/3.
TEST_CASE(
    "deltas: scale factors give each execution its rank's mean where ranks execute unequally often",
    "[physics]") {
  const auto outcome = simulate(2, R"(bins 1
    thread 0 {
      loop {0: 10; 1: 20} {
        MPI_Send peer=null bytes=8 | compute (limit=1 count=30 sum=5000000 squares=0:1000000000000 min=100000@0 max=200000@1 bins=[30/5000000] scale=0-1: (10, 20) scaled=500)
      }
    })",
                                star(2), with(sim::Deltas::distribution));
  CHECK(outcome.ranks[0].compute.value == Approx(1000e-6).epsilon(1e-12));
  CHECK(outcome.ranks[1].compute.value == Approx(4000e-6).epsilon(1e-12));
}

TEST_CASE("deltas: samples depend on the seed alone", "[physics]") {
  const auto first = simulate(2, kBinned, star(2), with(sim::Deltas::sample, 7));
  const auto again = simulate(2, kBinned, star(4, 4), with(sim::Deltas::sample, 7));
  const auto other = simulate(2, kBinned, star(2), with(sim::Deltas::sample, 8));
  CHECK(first.ranks[0].compute.value == again.ranks[0].compute.value);
  CHECK(first.ranks[0].compute.value != other.ranks[0].compute.value);
  CHECK(first.ranks[0].compute.value != first.ranks[1].compute.value);
  CHECK(first.ranks[0].compute.value == Approx(1860e-6).epsilon(0.5));
}

TEST_CASE("deltas: classes of ranks keep their own times", "[physics]") {
  const auto outcome = simulate_calls(
      2, "loop 10 {\nMPI_Send peer=null bytes=0 | compute {0: 10us; 1: 30us}\n}", star(2));
  CHECK(outcome.ranks[0].compute.value == near(100e-6));
  CHECK(outcome.ranks[1].compute.value == near(300e-6));
}

TEST_CASE("unmodelled: a call takes its recorded time and is reported", "[physics]") {
  const auto outcome = simulate(2, R"(loss "unmodelled MPI_Comm_spawn" partial count 6 time 60us
    thread 0 {
      loop 3 {
        "MPI_Comm_spawn" | communicate 10us
      }
    })",
                                star(2));
  CHECK(outcome.predicted_time.value == near(30e-6));
  CHECK(outcome.ranks[0].communication.value == near(30e-6));
  REQUIRE(outcome.losses.size() == 2);
  CHECK(outcome.losses[0].name == "MPI_Comm_spawn replayed as its recorded time");
  CHECK(outcome.losses[0].count == 6);
  CHECK(outcome.losses[0].time.value == 60000);
  CHECK(outcome.losses[1].name == "unmodelled MPI_Comm_spawn");
}

TEST_CASE("accounts: compute, communication and wait add up to the finish", "[physics]") {
  const auto outcome = simulate_calls(6, R"(loop 20 {
      MPI_Irecv peer=-1 bytes=100kB request=0 | compute {0-2: 10us; 3-5: 37us}
      MPI_Isend peer=+1 bytes=100kB request=1
      MPI_Waitall requests=[0, 1]
      MPI_Allreduce send_bytes=8
    })",
                                      star(6));
  for (const auto& row : outcome.ranks) {
    CHECK((row.compute + row.communication + row.wait).value == near(row.finish.value));
    CHECK(row.wait.value >= 0);
    CHECK(row.communication.value > 0);
  }
}

TEST_CASE("threads: a rank's threads run side by side", "[physics]") {
  const auto outcome = simulate(2, R"(thread 0 {
      ranks 0: MPI_Send peer=1 tag=1 bytes=8 | compute 1ms
      ranks 1: MPI_Recv peer=0 tag=1 bytes=8
    }
    thread 1 {
      ranks 0: MPI_Send peer=1 tag=2 bytes=8 | compute 3ms
      ranks 1: MPI_Recv peer=0 tag=2 bytes=8
    })",
                                star(2));
  CHECK(finish(outcome, 1) == near(3e-3 + eager(8)));
  CHECK(outcome.ranks[0].compute.value == near(4e-3));
}

}  // namespace reprise::test
