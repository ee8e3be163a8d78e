// SPDX-License-Identifier: MIT
// Runs that take longer where latency is shorter (docs/MODEL.md, "Shorter latency, longer run"), and tolerances that are not fooled by them.
#include "sim/experiment/answer.hpp"
#include "sim/experiment/details/tolerances.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

// B = 1 GB/s each way; LATENCY of a route between two nodes; messages are eager, and calls take no time.
platforms::Platform plain_star(std::uint32_t nodes, double latency) {
  platforms::Platform machine = star(nodes);
  machine.network->link.latency = Seconds{latency / 2};
  machine.mpi.eager_limit = Bytes{1'000'000'000};
  machine.mpi.send_overhead = machine.mpi.recv_overhead = Seconds{0};
  machine.intra_node_mpi = machine.mpi;
  return machine;
}

double time_of(int ranks, const std::string& calls, double latency, const std::string& network) {
  sim::ReplaySettings settings;
  settings.network = sim::find_network(network).value();
  settings.fast_forward = false;
  return simulate_calls(ranks, calls, plain_star(static_cast<std::uint32_t>(ranks), latency),
                        settings)
      .predicted_time.value;
}

// Messages of ranks 0 and 3 for rank 2, which waits for that of rank 3. Rank 0's sets out after 20 latencies.
const std::string kMeeting = R"(ranks 0-1: loop 10 {
      rank 0: MPI_Send peer=1 bytes=0
      rank 1: MPI_Recv peer=0 bytes=0
      rank 1: MPI_Send peer=0 bytes=0
      rank 0: MPI_Recv peer=1 bytes=0
    }
    rank 0: MPI_Isend peer=2 bytes=50kB tag=1 request=0
    rank 3: MPI_Send peer=2 bytes=50kB tag=2 | compute 110us
    rank 2: MPI_Recv peer=3 bytes=50kB tag=2
    rank 2: MPI_Send peer=3 bytes=0 tag=3 | compute 200us)";

// The ring of SIZES and computing times in µs, forward and two ranks on, three times.
std::string halo(const std::string& first_by, const std::string& first,
                 const std::string& before_first, const std::string& second_by,
                 const std::string& second, const std::string& before_second) {
  const auto opposite = [](std::string peer) {
    peer[0] = peer[0] == '+' ? '-' : '+';
    return peer;
  };
  return "loop 3 {\nMPI_Irecv peer=" + opposite(first_by) + " tag=0 bytes=100MB request=0\n" +
         "MPI_Irecv peer=" + opposite(second_by) + " tag=1 bytes=100MB request=1\n" +
         "MPI_Isend peer=" + first_by + " tag=0 bytes={" + first + "} request=2 | compute {" +
         before_first + "}\nMPI_Isend peer=" + second_by + " tag=1 bytes={" + second +
         "} request=3 | compute {" + before_second + "}\nMPI_Waitall requests=[0..3]\n}";
}

const std::string kHaloOfQueues =
    halo("-1", "0: 10kB; 1: 5kB; 2: 80kB; 3: 20kB", "0: 40us; 1: 40us; 2: 10us; 3: 10us", "+2",
         "0: 10kB; 1: 80kB; 2: 5kB; 3: 5kB", "0: 5us; 1: 20us; 2: 20us; 3: 40us");
const std::string kHaloOfFlows =
    halo("+2", "0: 40kB; 1: 20kB; 2: 5kB; 3: 80kB; 4: 1kB",
         "0: 20us; 1: 0us; 2: 10us; 3: 40us; 4: 0us", "-1",
         "0: 80kB; 1: 40kB; 2: 10kB; 3: 1kB; 4: 80kB", "0: 0us; 1: 20us; 2: 0us; 3: 20us; 4: 40us");

sim::Tolerance of_latency(int ranks, const std::string& calls, double latency,
                          const std::string& network) {
  const auto trace = trace_io::assemble(
      "reprise-text 1\nranks " + std::to_string(ranks) + "\nthread 0 {\n" + calls + "\n}\n",
      "test");
  sim::ReplaySettings settings;
  settings.network = sim::find_network(network).value();
  settings.fast_forward = false;
  const auto answer = sim::replayed(trace, plain_star(static_cast<std::uint32_t>(ranks), latency),
                                    settings, {.details = sim::parse_details("tolerances")});
  return answer.figure<sim::Tolerances>()->of[0];
}

}  // namespace

TEST_CASE("shorter latency: two messages meet that missed each other", "[physics]") {
  for (const std::string network : {"flow", "queue", "simgrid"}) {
    INFO(network);
    CHECK(time_of(4, kMeeting, 10e-6, network) == near(370e-6));
    CHECK(time_of(4, kMeeting, 5e-6, network) == near(405e-6));
  }
}

TEST_CASE("shorter latency: a halo exchange takes longer on half the latency", "[physics]") {
  CHECK(time_of(4, kHaloOfQueues, 5e-6, "queue") >
        1.17 * time_of(4, kHaloOfQueues, 10e-6, "queue"));
  for (const std::string network : {"flow", "simgrid"}) {
    INFO(network);
    CHECK(time_of(5, kHaloOfFlows, 5e-6, network) >
          1.08 * time_of(5, kHaloOfFlows, 10e-6, network));
  }
}

// In the neighbourhood of 5.5 µs, where the two messages of the queue change places: 3 % off it neither the run nor its slope looks odd.
TEST_CASE("shorter latency: a tolerance beside a jump tells that it may be either way",
          "[physics]") {
  const double latency = 1.03 * 5.5e-6, close = latency / (360e-6 + latency);
  const auto alone = of_latency(4, kMeeting, latency, "uncontended");
  CHECK(alone.elasticity == Approx(close).epsilon(1e-3));
  CHECK(alone.uncertainty < 1e-6);
  const auto queued = of_latency(4, kMeeting, latency, "queue");
  CHECK(queued.elasticity < -0.3);
  CHECK(queued.uncertainty >= Approx(close - queued.elasticity).epsilon(1e-3));
}

// At 4 µs a run of 384 µs. It takes 5 % longer from 4.96 to 5.5 µs, and then not before its 20 latencies alone take as long.
TEST_CASE("shorter latency: what costs 5 % in passing only is not what costs 5 %", "[physics]") {
  const double latency = 4e-6;
  CHECK(time_of(4, kMeeting, latency, "queue") == near(384e-6));
  CHECK(time_of(4, kMeeting, 1.3 * latency, "queue") > 1.05 * 384e-6);
  const auto queued = of_latency(4, kMeeting, latency, "queue");
  REQUIRE(queued.costs_5_percent_at);
  CHECK(*queued.costs_5_percent_at == Approx(1.05 * 384e-6 / 20 / latency).epsilon(2e-3));
}

}  // namespace reprise::test
