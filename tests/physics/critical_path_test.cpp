// SPDX-License-Identifier: MIT
// The critical path of programs whose path is known, and its gradient against finite differences.
#include "sim/experiment/details/critical_path.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "sim/engine/critical_path/path_tree.hpp"
#include "sim/experiment/answer.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

using sim::PathPart;

trace_io::Trace program(int ranks, const std::string& calls) {
  return trace_io::assemble(
      "reprise-text 1\nranks " + std::to_string(ranks) + "\nthread 0 {\n" + calls + "\n}\n",
      "test");
}

sim::CriticalPathParts path_of(const trace_io::Trace& trace, const platforms::Platform& machine,
                               const sim::ReplaySettings& settings = {}) {
  sim::AnswerRequest request;
  request.details = sim::parse_details("critical-path");
  return *sim::replayed(trace, machine, settings, request).figure<sim::CriticalPathParts>();
}

// What the path spends, in the order of PathPart from compute to acknowledgement; anything else must be nothing.
struct Spent {
  double compute = 0, send_overhead = 0, receive_overhead = 0, latency = 0, transfer = 0,
         handshake = 0;
};

void check(const sim::CriticalPathParts& path, const Spent& spent) {
  CHECK(path.sum_of(PathPart::compute) == near(spent.compute));
  CHECK(path.sum_of(PathPart::send_overhead) == near(spent.send_overhead));
  CHECK(path.sum_of(PathPart::receive_overhead) == near(spent.receive_overhead));
  CHECK(path.sum_of(PathPart::latency) == near(spent.latency));
  CHECK(path.sum_of(PathPart::transfer) == near(spent.transfer));
  CHECK(path.sum_of(PathPart::handshake) == near(spent.handshake));
  CHECK(path.time == near(spent.compute + spent.send_overhead + spent.receive_overhead +
                          spent.latency + spent.transfer + spent.handshake));
}

// Seconds that the path spends on a rank. REQUIRES: at most 64 ranks.
double on_rank(const sim::CriticalPathParts& path, std::size_t rank) {
  double sum = 0;
  for (std::size_t i = rank * path.bins; i < (rank + 1) * path.bins; ++i)
    sum += path.computing[i] + path.otherwise[i];
  return sum;
}

// The path is somewhere at any time: bin by bin the map's cells add up to the bin's width, in the last to what the run has of it.
// Within MARGIN seconds: how far ranks are from each other where iterations are left out.
void check_map(const sim::CriticalPathParts& path, double margin) {
  for (std::size_t bin = 0; bin < path.bins; ++bin) {
    double sum = 0;
    for (std::size_t i = bin; i < path.computing.size(); i += path.bins)
      sum += path.computing[i] + path.otherwise[i];
    const double begin = static_cast<double>(bin) * path.bin;
    INFO("bin " << bin << " of " << path.bins);
    CHECK(sum == Approx(std::min(path.bin, path.time - begin)).epsilon(1e-9).margin(margin));
  }
}

}  // namespace

// System: each of four ranks waits for the one before, computes 10, 20, 30 and 40 µs, and passes 1000 bytes on.
TEST_CASE("critical path: a pipeline's goes through all ranks", "[physics]") {
  const auto path = path_of(program(4, R"(ranks 0: MPI_Send peer=1 bytes=1000 | compute 10us
    ranks 1-2: MPI_Recv peer=-1 bytes=1000
    ranks 1-2: MPI_Send peer=+1 bytes=1000 | compute {1: 20us; 2: 30us}
    ranks 3: MPI_Recv peer=2 bytes=1000
    ranks 3: MPI_Finalize | compute 40us)"),
                            star(4));
  check(path, {.compute = 100e-6,
               .send_overhead = 3 * kSendOverhead,
               .receive_overhead = 3 * kReceiveOverhead,
               .latency = 3 * kLatency,
               .transfer = 3 * 1000 / kBandwidth});
  CHECK(path.rank == 3);
  CHECK(path.why_not.empty());
  const double wire_time = kSendOverhead + wire(1000);  // a message's time is its sender's
  CHECK(on_rank(path, 0) == near(10e-6 + wire_time));
  CHECK(on_rank(path, 1) == near(20e-6 + kReceiveOverhead + wire_time));
  CHECK(on_rank(path, 2) == near(30e-6 + kReceiveOverhead + wire_time));
  CHECK(on_rank(path, 3) == near(40e-6 + kReceiveOverhead));
}

// System: rank 0 hands a task to each of three workers and takes their answers; that of the second takes longest.
TEST_CASE("critical path: a master's goes through the slowest worker", "[physics]") {
  const auto path = path_of(program(4, R"(ranks 0: MPI_Send peer=1 bytes=500 | compute 5us
    ranks 0: MPI_Send peer=2 bytes=500
    ranks 0: MPI_Send peer=3 bytes=500
    ranks 1-3: MPI_Recv peer=0 bytes=500
    ranks 1-3: MPI_Send peer=0 bytes=100 | compute {1: 50us; 2: 90us; 3: 60us}
    ranks 0: MPI_Recv peer=1 bytes=100
    ranks 0: MPI_Recv peer=2 bytes=100
    ranks 0: MPI_Recv peer=3 bytes=100)"),
                            uncontended_star(4));
  // Two sends before the second task is on its way; when its answer is there, the third one is as well.
  check(path, {.compute = 95e-6,
               .send_overhead = 3 * kSendOverhead,
               .receive_overhead = 3 * kReceiveOverhead,
               .latency = 2 * kLatency,
               .transfer = 600 / kBandwidth});
  CHECK(path.rank == 0);
  CHECK(on_rank(path, 1) == 0);
  CHECK(on_rank(path, 3) == 0);
}

// System: rank 1 posts its receive 50 µs after the request to send has come; rank 2 has been waiting from the start.
TEST_CASE("critical path: a rendezvous begins where the later of the two is", "[physics]") {
  constexpr double kBytes = 100e3;
  const auto path = path_of(program(3, R"(ranks 0: MPI_Send peer=1 bytes=100kB
    ranks 1: MPI_Recv peer=0 bytes=100kB | compute 50us
    ranks 1: MPI_Send peer=2 bytes=100kB
    ranks 2: MPI_Recv peer=1 bytes=100kB)"),
                            star(3));
  check(path, {.compute = 50e-6,
               .send_overhead = kSendOverhead,
               .receive_overhead = 2 * kReceiveOverhead,
               .latency = 2 * kLatency,
               .transfer = 2 * kBytes / kBandwidth,
               .handshake = 3 * kLatency});  // the first request is not on it
}

TEST_CASE("critical path: an uneven allreduce waits for its slowest member", "[physics]") {
  platforms::Platform machine = uncontended_star(4);
  machine.collectives.rules = {{.operation = "allreduce",
                                .up_to = {},
                                .algorithm = "recursive_doubling",
                                .segment = {},
                                .pointer = {}}};
  const auto path = path_of(
      program(4, "MPI_Allreduce send_bytes=8000 | compute {0,1,3: 10us; 2: 100us}"), machine);
  check(path, {.compute = 100e-6,
               .send_overhead = 2 * kSendOverhead,
               .receive_overhead = 2 * kReceiveOverhead,
               .latency = 2 * kLatency,
               .transfer = 2 * 8000 / kBandwidth});
  CHECK(on_rank(path, 2) >= 100e-6);
}

// System: what rank 0 sends, what rank 1 makes of it and sends back is over long before rank 0 has computed.
TEST_CASE("critical path: messages hidden behind computing are not on it", "[physics]") {
  const auto path = path_of(program(2, R"(ranks 0: MPI_Irecv peer=1 bytes=8000 request=0
    ranks 0: MPI_Isend peer=1 bytes=8000 request=1
    ranks 0: MPI_Waitall requests=[0, 1] | compute 100us
    ranks 1: MPI_Recv peer=0 bytes=8000
    ranks 1: MPI_Send peer=0 bytes=8000 | compute 20us)"),
                            star(2));
  check(path,
        {.compute = 100e-6, .send_overhead = kSendOverhead, .receive_overhead = kReceiveOverhead});
  REQUIRE(path.shares.front().procedure == "MPI_Waitall");
  CHECK(path.shares.front().seconds == near(100e-6));
}

TEST_CASE("critical path: iterations left out consist of what those watched do", "[physics]") {
  const std::string body = R"(MPI_Irecv peer=-1 bytes=8kB request=0
    MPI_Isend peer=+1 bytes=8kB request=1 | compute {0: 10us; 1: 11us; 2: 17us; 3: 12us}
    MPI_Waitall requests=[0, 1]
    loop 3 {
    MPI_Sendrecv peer=+1 receive_peer=-1 bytes=100 receive_bytes=100 | compute {0-2: 1us; 3: 4us}
    })";
  for (const std::string& tail : {std::string("MPI_Allreduce send_bytes=8"), std::string()}) {
    const auto trace = program(4, "loop 400 {\n" + body + "\n" + tail + "\n}");
    sim::ReplaySettings settings;
    settings.deltas = sim::Deltas::mean;
    for (const auto network :
         {sim::NetworkKind::flow, sim::NetworkKind::fluid, sim::NetworkKind::queue}) {
      settings.network = network;
      settings.fast_forward = true;
      const auto jumped = path_of(trace, star(4), settings);
      settings.fast_forward = false;
      const auto whole = path_of(trace, star(4), settings);
      CHECK(jumped.time == near(whole.time));
      check_map(jumped, 4e-6);
      check_map(whole, 1e-12);
      for (std::size_t part = 0; part < sim::kPathPartNames.size(); ++part) {
        INFO(sim::kPathPartNames[part] << " " << tail);
        CHECK(jumped.sum_of(static_cast<PathPart>(part)) ==
              Approx(whole.sum_of(static_cast<PathPart>(part))).epsilon(1e-9).margin(1e-15));
      }
      for (std::size_t rank = 0; rank < 4; ++rank)
        CHECK(on_rank(jumped, rank) == Approx(on_rank(whole, rank)).epsilon(1e-6).margin(1e-9));
    }
  }
}

TEST_CASE("critical path: its places do not grow with the steps", "[physics]") {
  const auto places = [](int steps) {
    const auto trace = program(
        8, "loop " + std::to_string(steps) +
               " {\nMPI_Sendrecv peer=+1 receive_peer=-1 bytes=100 receive_bytes=100 | compute "
               "{0-3: 10us; 4-7: 11us}\n}");
    sim::Observation observation({.path = true});
    sim::ReplaySettings settings;
    settings.fast_forward = false;
    settings.observation = &observation;
    sim::replay(trace, star(8), settings);
    return observation.path()->places();
  };
  CHECK(places(20) < 100);
  CHECK(places(2000) < 100);
}

TEST_CASE("critical path: a tree of paths keeps what they have in common once", "[physics]") {
  sim::PathTree tree;
  auto first = tree.begin();
  tree.stretch(first).add(1, 2);
  auto second = tree.hold(first);
  first = tree.extend(first);
  CHECK(first != second);
  tree.stretch(first).add(1, 3);
  second = tree.extend(second);
  tree.stretch(second).add(2, 5);
  CHECK(tree.size() == 3);
  tree.release(first);
  // One path is left: one node, with all that it consists of.
  CHECK(tree.size() == 1);
  CHECK(tree.parent(second) == sim::PathTree::kNowhere);
  const auto all = tree.stretch(second).sorted();
  REQUIRE(all.size() == 2);
  CHECK(all[0].seconds == 2);
  CHECK(all[1].seconds == 5);
  tree.release(second);
  CHECK(tree.size() == 0);
}

}  // namespace reprise::test
