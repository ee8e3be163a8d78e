// SPDX-License-Identifier: MIT
// Calls and messages that find cold caches, because their rank has computed before.
#include "platforms/cold_caches.hpp"

#include "sim/experiment/answer.hpp"
#include "sim/experiment/details/critical_path.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

using platforms::ColdCosts;

// After 100 us: sends cost 2 us more and 1 ns a byte, receives 4 us and 2 ns a byte, own copies 3 ns a byte; after 50 us half of that.
platforms::Platform cold_star() {
  platforms::Platform machine = star(2, 1);
  const ColdCosts level{Seconds{100e-6},
                        {{Bytes{0}, Seconds{2e-6}}, {Bytes{1000}, Seconds{3e-6}}},
                        {{Bytes{0}, Seconds{4e-6}}, {Bytes{1000}, Seconds{6e-6}}},
                        {{Bytes{0}, Seconds{0}}, {Bytes{1000}, Seconds{3e-6}}}};
  machine.mpi.cold_caches = machine.intra_node_mpi.cold_caches = {level};
  return machine;
}

std::string computing(int microseconds, const std::string& call) {
  return call + " | compute " + std::to_string(microseconds) + "us\n";
}

}  // namespace

TEST_CASE("cold caches: after computing a send and a receive cost more, by time and size",
          "[physics]") {
  const auto run = [](int sender, int receiver, const std::string& bytes) {
    const std::string calls = "ranks 0: " + computing(sender, "MPI_Send peer=1 bytes=" + bytes) +
                              "ranks 1: " + computing(receiver, "MPI_Recv peer=0 bytes=" + bytes);
    return simulate_calls(2, calls, cold_star());
  };
  CHECK(finish(run(100, 100, "0B"), 0) == near(100e-6 + kSendOverhead + 2e-6));
  CHECK(finish(run(100, 100, "0B"), 1) == near(100e-6 + 2e-6 + eager(0) + 4e-6));
  CHECK(finish(run(100, 100, "500B"), 1) == near(100e-6 + 2.5e-6 + eager(500) + 5e-6));
  CHECK(finish(run(100, 100, "2kB"), 1) == near(100e-6 + 3e-6 + eager(2000) + 6e-6));
  CHECK(finish(run(50, 50, "0B"), 1) == near(50e-6 + 1e-6 + eager(0) + 2e-6));
  CHECK(finish(run(400, 400, "0B"), 1) == near(400e-6 + 2e-6 + eager(0) + 4e-6));
  CHECK(finish(simulate_calls(
                   2, "ranks 0: MPI_Send peer=1 bytes=2kB\nranks 1: MPI_Recv peer=0 bytes=2kB",
                   cold_star()),
               1) == near(eager(2000)));
}

TEST_CASE("cold caches: MPI's code is warm for the second message, its data is not", "[physics]") {
  const std::string calls =
      "ranks 0: " + computing(1000, "MPI_Send peer=1 bytes=1kB") +
      "ranks 0: MPI_Send peer=1 tag=1 bytes=1kB\n"
      "ranks 1: MPI_Recv peer=0 bytes=1kB\nranks 1: MPI_Recv peer=0 tag=1 bytes=1kB";
  const auto outcome = simulate_calls(2, calls, cold_star());
  CHECK(finish(outcome, 0) == near(1000e-6 + 2 * kSendOverhead + 3e-6 + 1e-6));
}

TEST_CASE("cold caches: a buffer is as cold as what was computed since its last use makes it",
          "[physics]") {
  // 1 ms of computing, then messages with some before each; what they cost beside that.
  const auto more = [](int messages, int between) {
    const std::string loop = "loop " + std::to_string(messages) + " {\n";
    const std::string calls = "ranks 0: " + computing(1000, "MPI_Barrier comm=1") +
                              "ranks 0: " + loop + computing(between, "MPI_Send peer=1 bytes=1kB") +
                              "}\nranks 1: " + loop + "MPI_Recv peer=0 bytes=1kB\n}\n";
    return finish(simulate_calls(2, calls, cold_star()), 0) - 1000e-6 -
           messages * (kSendOverhead + between * 1e-6);
  };
  CHECK(more(1, 0) == near(3e-6));
  CHECK(more(100, 0) == near(3e-6));
  CHECK(more(2, 50) == near(3e-6 + 0.5e-6));
  CHECK(more(2, 2000) == near(3e-6 + 3e-6));
}

TEST_CASE("cold caches: a receive's buffer is known by its peer, tag and size, up to 64 of them",
          "[physics]") {
  const auto received = [](int tags) {
    std::string sends, receives;
    for (int tag = 0; tag < tags; ++tag) {
      sends += "MPI_Send peer=0 tag=" + std::to_string(tag) + " bytes=1kB\n";
      receives += "MPI_Recv peer=1 tag=" + std::to_string(tag) + " bytes=1kB\n";
    }
    const std::string calls = "ranks 1: loop 2 {\n" + sends +
                              "}\nranks 0: " + computing(1000000, "MPI_Barrier comm=1") +
                              "ranks 0: loop 2 {\n" + receives + "}\n";
    return finish(simulate_calls(2, calls, cold_star()), 0) - 1;
  };
  // MPI's code 4 us, once, each buffer 2 us.
  CHECK(received(1) == near(2 * kReceiveOverhead + 4e-6 + 2e-6));
  CHECK(received(64) == near(2 * 64 * kReceiveOverhead + 4e-6 + 64 * 2e-6));
  CHECK(received(65) == near(2 * 65 * kReceiveOverhead + 4e-6 + 2 * 65 * 2e-6));
}

TEST_CASE("cold caches: caches are warm again after as much time as was computed", "[physics]") {
  // 80 us of computing; the receiver's message takes 40 us to come, then 40 us of the 80 are left for a call.
  const std::string calls = "ranks 0: " + computing(80, "MPI_Recv peer=1 bytes=0B") +
                            "ranks 0: MPI_Send peer=1 bytes=0B\n"
                            "ranks 1: " +
                            computing(120, "MPI_Send peer=0 bytes=0B") +
                            "ranks 1: MPI_Recv peer=0 bytes=0B";
  const auto outcome = simulate_calls(2, calls, cold_star());
  const double received = 120e-6 + 2e-6 + eager(0) + 4e-6 * 0.8;
  const double left = (160e-6 - received) / 100e-6;
  CHECK(finish(outcome, 0) == near(received + kSendOverhead + 2e-6 * left));
}

TEST_CASE("cold caches: a faster core goes through the same data", "[physics]") {
  const std::string calls = "ranks 0: " + computing(100, "MPI_Send peer=1 bytes=0B") +
                            "ranks 1: MPI_Recv peer=0 bytes=0B";
  sim::ReplaySettings settings;
  settings.compute_scale = 0.25;
  CHECK(finish(simulate_calls(2, calls, cold_star(), settings), 0) ==
        near(25e-6 + kSendOverhead + 2e-6));
}

TEST_CASE("cold caches: a collective copies its own block out of cold memory", "[physics]") {
  const std::string calls =
      computing(100, "MPI_Allgather send_bytes=1kB receive_bytes_per_peer=1kB");
  const auto outcome = simulate_calls(2, calls, cold_star());
  const double first = 100e-6 + 3e-6 + 3e-6 + eager(1000) + 6e-6;
  CHECK(finish(outcome, 0) == near(first));
  const auto repeated = [](int times) {
    const std::string all = "ranks 0-1: " + computing(100, "MPI_Barrier comm=1") +
                            "ranks 0-1: loop " + std::to_string(times) +
                            " {\nMPI_Allgather send_bytes=1kB receive_bytes_per_peer=1kB\n}\n";
    return finish(simulate_calls(2, all, cold_star()), 0);
  };
  CHECK(repeated(1) == near(first));
  CHECK(repeated(2) == near(first + eager(1000)));
}

TEST_CASE("cold caches: the critical path names them", "[physics]") {
  const std::string calls = "ranks 0: " + computing(100, "MPI_Send peer=1 bytes=0B") +
                            "ranks 1: " + computing(100, "MPI_Recv peer=0 bytes=0B");
  sim::AnswerRequest request;
  request.details = sim::parse_details("critical-path");
  const auto trace =
      trace_io::assemble("reprise-text 1\nranks 2\nthread 0 {\n" + calls + "}\n", "test");
  const auto answer = sim::replayed(trace, cold_star(), {}, request);
  CHECK(answer.figure<sim::CriticalPathParts>()->sum_of(sim::PathPart::cold_caches) == near(6e-6));
}

TEST_CASE("cold caches: a step at the eager limit is no slope for larger messages", "[physics]") {
  // As the calibration writes it: a send of 1000 bytes costs nothing more, any larger one what MPI's code does.
  platforms::Platform cold = star(2, 1);
  cold.mpi.cold_caches = cold.intra_node_mpi.cold_caches = {
      {Seconds{100e-6}, {{Bytes{1000}, Seconds{0}}, {Bytes{1001}, Seconds{140e-9}}}, {}, {}}};
  for (const std::string bytes : {"1001B", "8kB", "1MB"}) {
    const std::string calls = "ranks 0: " + computing(100, "MPI_Send peer=1 bytes=" + bytes) +
                              "ranks 1: MPI_Recv peer=0 bytes=" + bytes;
    CHECK(finish(simulate_calls(2, calls, cold), 1) ==
          near(finish(simulate_calls(2, calls, star(2, 1)), 1) + 140e-9));
  }
}

TEST_CASE(
    "cold caches: costs between levels and sizes are linear, and beyond the last size the last one",
    "[platforms]") {
  const std::vector<ColdCosts> levels{
      {Seconds{1}, {{Bytes{10}, Seconds{1}}, {Bytes{20}, Seconds{3}}}, {}, {}},
      {Seconds{3}, {{Bytes{10}, Seconds{5}}, {Bytes{20}, Seconds{4}}}, {}, {}}};
  const auto cost = [&](double computed, std::uint64_t size) {
    return cold_cost(levels, &ColdCosts::send_overhead, Seconds{computed}, Bytes{size}).value;
  };
  CHECK(cost(0, 10) == 0);
  CHECK(cost(0.5, 10) == near(0.5));
  CHECK(cost(1, 0) == near(1.0));
  CHECK(cost(1, 15) == near(2.0));
  CHECK(cost(1, 40) == near(3.0));
  CHECK(cost(2, 10) == near(3.0));
  CHECK(cost(3, 15) == near(4.5));
  CHECK(cost(9, 40) == near(4.0));
  CHECK(cold_cost(levels, &ColdCosts::copy, Seconds{2}, Bytes{20}).value == 0);
  CHECK(cold_cost({}, &ColdCosts::copy, Seconds{2}, Bytes{20}).value == 0);
}

}  // namespace reprise::test
