// SPDX-License-Identifier: MIT
// Nodes whose memory the ranks fill: the closed forms of docs/MODEL.md, "Memory bandwidth".
#include "sim/engine/compute/memory_sharing.hpp"

#include <utility>

#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {
namespace {

// Each rank moves 10 GB a second of computing.
constexpr double kTraffic = 10e9;
const std::string kCompute10ms = "MPI_Barrier comm=1 | compute 10ms";

platforms::Platform node_of(std::uint32_t cores, double memory, std::uint32_t nodes = 1) {
  platforms::Platform machine = star(nodes, cores);
  machine.nodes.memory_bandwidth = BytesPerSecond{memory};
  return machine;
}

sim::ReplaySettings with_traffic(double rate = kTraffic) {
  sim::ReplaySettings settings;
  settings.memory_traffic = BytesPerSecond{rate};
  return settings;
}

double compute_of(const sim::Outcome& outcome, std::size_t rank) {
  return outcome.ranks[rank].compute.value;
}

}  // namespace

// T = max(w, k b w / M).
TEST_CASE(
    "memory: k ranks alike take the greater of their work and the node's bytes over its "
    "bandwidth",
    "[physics]") {
  for (const int ranks : {1, 2, 4, 8, 16}) {
    CAPTURE(ranks);
    const auto outcome = simulate_calls(ranks, kCompute10ms, node_of(16, 40e9), with_traffic());
    const double factor = std::max(1.0, ranks * kTraffic / 40e9);
    CHECK(compute_of(outcome, 0) == near(factor * 10e-3));
    CHECK(outcome.memory.nodes == (factor > 1 ? 1 : 0));
    CHECK(outcome.memory.time.value == near(factor > 1 ? ranks * factor * 10e-3 : 0));
    CHECK(outcome.memory.longer.value == near(ranks * (factor - 1) * 10e-3));
  }
}

TEST_CASE("memory: the same ranks on twice as many nodes have twice the bandwidth", "[physics]") {
  CHECK(compute_of(simulate_calls(8, kCompute10ms, node_of(8, 40e9, 1), with_traffic()), 0) ==
        near(20e-3));
  CHECK(compute_of(simulate_calls(8, kCompute10ms, node_of(4, 40e9, 2), with_traffic()), 0) ==
        near(10e-3));
}

// Four ranks ask for 40 of 20 GB/s; the one with half the work leaves after 10 ms, three ask for 30, and end together.
TEST_CASE("memory: who ends early leaves bandwidth to the others", "[physics]") {
  const auto outcome = simulate_calls(4, "MPI_Send peer=null bytes=0 | compute {0: 5ms; 1-3: 10ms}",
                                      node_of(4, 20e9), with_traffic());
  CHECK(compute_of(outcome, 0) == near(10e-3));
  CHECK(compute_of(outcome, 1) == near(10e-3 + 5e-3 * 1.5));
}

TEST_CASE("memory: a rank that waits in MPI asks for none", "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Send peer=1 bytes=8 | compute 10ms
      ranks 1: MPI_Recv peer=0 bytes=8)",
                                      node_of(2, 10e9), with_traffic());
  CHECK(compute_of(outcome, 0) == near(10e-3));
}

// One rank alone asks for more than there is.
TEST_CASE("memory: one rank may fill it", "[physics]") {
  CHECK(compute_of(simulate_calls(1, kCompute10ms, node_of(1, 4e9), with_traffic()), 0) ==
        near(25e-3));
}

// A core that is twice as fast asks for twice as much, and moves the same bytes.
TEST_CASE("memory: faster cores help until memory is full", "[physics]") {
  auto settings = with_traffic();
  for (const auto& [scale, expected] :
       {std::pair{2.0, 20e-3}, {0.75, 7.5e-3}, {0.5, 5e-3}, {0.1, 5e-3}}) {
    CAPTURE(scale);
    settings.compute_scale = scale;
    CHECK(compute_of(simulate_calls(2, kCompute10ms, node_of(2, 40e9), settings), 0) ==
          near(expected));
  }
}

// Two ranks of 10 ms on one core, which asks for 10 GB/s whoever has it.
TEST_CASE("memory: shared cores ask for less", "[physics]") {
  CHECK(compute_of(simulate_calls(2, kCompute10ms, node_of(1, 10e9), with_traffic()), 0) ==
        near(20e-3));
  CHECK(compute_of(simulate_calls(2, kCompute10ms, node_of(1, 5e9), with_traffic()), 0) ==
        near(40e-3));
}

// Of 15 GB/s rank 0, on a core of a quarter of the speed, asks for 2.5 and gets them; the others have 6.25 each, 0.625 of their speed.
TEST_CASE("memory: who asks for less than an equal share gets it", "[physics]") {
  auto settings = with_traffic();
  settings.compute.push_back(sim::parse_compute_rule("rank:0=4x", "--compute"));
  const auto outcome = simulate_calls(3, "MPI_Send peer=null bytes=0 | compute {0: 20ms; 1-2: 7ms}",
                                      node_of(3, 15e9), settings);
  CHECK(compute_of(outcome, 1) == near(7e-3 / 0.625));
  CHECK(compute_of(outcome, 0) == near(80e-3));
}

TEST_CASE("memory: iterations left out count as those replayed", "[physics]") {
  const std::string loop = "loop 1000 {\nMPI_Barrier comm=1 | compute 10us\n}";
  auto settings = with_traffic();
  const auto outcome = simulate_calls(4, loop, node_of(4, 20e9), settings);
  settings.fast_forward = false;
  const auto whole = simulate_calls(4, loop, node_of(4, 20e9), settings);
  CHECK(outcome.forwarded.skipped_iterations > 0);
  CHECK(outcome.predicted_time.value == near(whole.predicted_time.value));
  CHECK(outcome.memory.time.value == near(4 * 1000 * 20e-6));
  CHECK(whole.memory.longer.value == near(4 * 1000 * 10e-6));
  CHECK(outcome.memory.longer.value == near(whole.memory.longer.value));
}

TEST_CASE("memory: without traffic or bandwidth nothing is bound, and nothing differs",
          "[physics]") {
  const auto plain = simulate_calls(8, kCompute10ms, star(1, 8));
  CHECK(simulate_calls(8, kCompute10ms, node_of(8, 1e9)).predicted_time.value ==
        plain.predicted_time.value);
  CHECK(simulate_calls(8, kCompute10ms, star(1, 8), with_traffic()).predicted_time.value ==
        plain.predicted_time.value);
  CHECK(simulate_calls(8, kCompute10ms, node_of(8, 80e9), with_traffic()).predicted_time.value ==
        plain.predicted_time.value);
}

TEST_CASE("memory: the shares of those who ask for more are equal, and use the bandwidth up",
          "[physics]") {
  std::vector<sim::MemoryDemand> demands{{0, 2}, {1, 2}, {4, 1}, {8, 3}};
  sim::share_memory(demands, 0.5, 9);
  CHECK(demands[0].speed == 0.5);
  CHECK(demands[1].speed == 0.5);  // 0.5 each; 8 are left for 4, so that 2 each are a fair share
  CHECK(demands[2].speed == 0.5);
  CHECK_FALSE(demands[2].is_bound);
  CHECK(demands[3].speed == near(2.0 / 8));
  CHECK(demands[3].is_bound);
}

}  // namespace reprise::test
