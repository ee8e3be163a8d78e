// SPDX-License-Identifier: MIT
// Ranks that share cores, and compute times that are scaled in part.
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::test {
namespace {

sim::ReplaySettings scaled(const std::vector<std::string>& rules, double overall = 1) {
  sim::ReplaySettings settings;
  for (const auto& rule : rules)
    settings.compute.push_back(sim::parse_compute_rule(rule, "--compute"));
  settings.compute_scale = overall;
  return settings;
}

// Two call sites: assemble() in matrix.c before a barrier, solve() in solve.c (called from main.c) before an allreduce.
const std::string kTwoPhases = R"(procedure 0 "MPI_Barrier"
      procedure 1 "MPI_Allreduce"
      module 0 "/opt/app/bin/solve" build_id ""
      path 0 0+0x10
      path 1 0+0x20 0+0x30
      frame 0+0x10 "assemble" "src/matrix.c" 40
      frame 0+0x20 "solve" "src/solve.c" 212
      frame 0+0x30 "main" "src/main.c" 9
      site 0 procedure 0 path 0
      site 1 procedure 1 path 1
      thread 0 {
        @0 MPI_Barrier comm=1 | compute 1ms
        @1 MPI_Allreduce comm=1 send_bytes=8 | compute 10ms
      })";

double computed(const std::vector<std::string>& rules, int rank = 0, double overall = 1) {
  return simulate(4, kTwoPhases, star(2, 2), scaled(rules, overall))
      .ranks[static_cast<std::size_t>(rank)]
      .compute.value;
}

}  // namespace

TEST_CASE("cores: two ranks on one core take turns", "[physics]") {
  const auto outcome = simulate_calls(2, "MPI_Barrier comm=1 | compute 10ms", star(1, 1));
  CHECK(finish(outcome, 0) == near(20e-3));
  CHECK(finish(outcome, 1) == near(20e-3));
  CHECK(outcome.ranks[0].compute.value == near(20e-3));
}

TEST_CASE("cores: three ranks on two cores run at two thirds", "[physics]") {
  CHECK(simulate_calls(3, "MPI_Barrier comm=1 | compute 10ms", star(1, 2)).predicted_time.value ==
        near(15e-3));
}

// 1, 2 and 3 ms of work on one core: they end at 3·1, then 2·1 more, then 1 more.
TEST_CASE("cores: who ends early leaves more to the others", "[physics]") {
  const auto outcome =
      simulate_calls(3, "MPI_Barrier comm=1 | compute {0: 1ms; 1: 2ms; 2: 3ms}", star(1, 1));
  CHECK(finish(outcome, 0) == near(3e-3));
  CHECK(finish(outcome, 1) == near(5e-3));
  CHECK(finish(outcome, 2) == near(6e-3));
}

// The same where the longest begins first.
TEST_CASE("cores: the least work ends first, whoever began", "[physics]") {
  const auto outcome = simulate_calls(
      3, "MPI_Send peer=null bytes=0 | compute {0: 3ms; 1: 2ms; 2: 1ms}", star(1, 1));
  CHECK(finish(outcome, 2) == near(3e-3));
  CHECK(finish(outcome, 1) == near(5e-3));
  CHECK(finish(outcome, 0) == near(6e-3));
}

// Rank 1 waits for rank 0's message, which takes no core; then both compute.
TEST_CASE("cores: a rank that waits in MPI leaves its core to others", "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Send peer=1 bytes=8 | compute 4ms
      ranks 1: MPI_Recv peer=0 bytes=8
      MPI_Barrier comm=1 | compute 3ms)",
                                      star(1, 1));
  const double node_wire = kNodeLatency + 8 / kNodeBandwidth;
  CHECK(outcome.ranks[0].compute.value + outcome.ranks[1].compute.value ==
        near(4e-3 + 2 * 6e-3 - node_wire - kReceiveOverhead - (node_wire + kReceiveOverhead)));
  CHECK(finish(outcome, 0) == near(4e-3 + kSendOverhead + 6e-3 - node_wire - kReceiveOverhead));
  CHECK(finish(outcome, 1) == near(4e-3 + kSendOverhead + 6e-3));
}

TEST_CASE("cores: nodes with enough of them are not slowed down", "[physics]") {
  // Three ranks on two nodes of one core: ranks 0 and 1 share the first, rank 2 has the second.
  const auto outcome = simulate_calls(3, "MPI_Barrier comm=1 | compute 10ms", star(2, 1));
  CHECK(finish(outcome, 1) == near(20e-3));
  CHECK(finish(outcome, 2) == near(10e-3));
  CHECK(simulate_calls(4, "MPI_Barrier comm=1 | compute 10ms", star(1, 4)).predicted_time.value ==
        near(10e-3));
}

TEST_CASE(
    "cores: shared in many small stretches, the work done per second is what the cores can do",
    "[physics]") {
  const auto outcome = simulate_calls(
      6, "loop 50 {\nMPI_Barrier comm=1 | compute {0-2: 100us; 3-5: 170us}\n}", star(1, 2));
  CHECK(outcome.predicted_time.value == Approx((3 * 5e-3 + 3 * 8.5e-3) / 2).epsilon(0.01));
}

TEST_CASE("compute rules: a pattern is matched against functions, files and lines of the call path",
          "[physics]") {
  CHECK(computed({}) == near(11e-3));
  CHECK(computed({"assemble=3x"}) == near(13e-3));
  CHECK(computed({"sol*=0.5x"}) == near(6e-3));
  CHECK(computed({"solve.c:212=0.1x"}) == near(2e-3));
  CHECK(computed({"src/matrix.c=2x"}) == near(12e-3));
  CHECK(computed({"main.c:*=2x"}) == near(21e-3));
}

TEST_CASE("compute rules: ranks and nodes, and all of them multiply", "[physics]") {
  CHECK(computed({"rank:1,3=2x"}, 0) == near(11e-3));
  CHECK(computed({"rank:1,3=2x"}, 1) == near(22e-3));
  CHECK(computed({"node:1=2x"}, 1) == near(11e-3));
  CHECK(computed({"node:1=2x"}, 2) == near(22e-3));
  CHECK(computed({"rank:0-2=2x", "solve=0.5x", "3x"}, 2, 10) == near(10 * 3 * 2 * (1e-3 + 5e-3)));
}

TEST_CASE("compute rules: what matches nothing is refused", "[physics]") {
  const auto refused = [](const std::string& rule) {
    return error_of(4, kTwoPhases, star(2, 2), scaled({rule}));
  };
  CHECK(refused("precondition=2x") ==
        "--compute: no call of the trace matches \"precondition\"\n  patterns match functions, "
        "files, file:line and addresses (program+0x12f0, program+*) of call paths; `reprise trace "
        "dump` shows "
        "them");
  CHECK(refused("rank:4=2x") == "--compute: rank 4 is not among the 4 ranks");
  CHECK(refused("node:2=2x") == "--compute: node 2 is not among the 2 nodes that have ranks");
  CHECK_THROWS_AS(sim::parse_compute_rule("rank:3-1=2x", "--compute"), InputError);
  CHECK_THROWS_AS(sim::parse_compute_rule("rank:x=2x", "--compute"), InputError);
  CHECK_THROWS_AS(sim::parse_compute_rule("=2x", "--compute"), InputError);
  CHECK_THROWS_AS(sim::parse_compute_rule("solve=fast", "--compute"), InputError);
}

}  // namespace reprise::test
