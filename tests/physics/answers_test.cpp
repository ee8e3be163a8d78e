// SPDX-License-Identifier: MIT
// What an answer says beyond the outcome, on programs small enough for closed forms.
#include <algorithm>
#include <string>

#include "sim/experiment/answer.hpp"
#include "sim/experiment/details/call_sites.hpp"
#include "sim/experiment/details/efficiencies.hpp"
#include "sim/experiment/details/links.hpp"
#include "sim/experiment/details/rank_blocks.hpp"
#include "sim/experiment/details/tolerances.hpp"
#include "sim/text/tables.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

sim::Answer ask(int ranks, const std::string& calls, const platforms::Platform& machine,
                const std::string& details, const sim::ReplaySettings& settings = {}) {
  const auto trace = trace_io::assemble(
      "reprise-text 1\nranks " + std::to_string(ranks) + "\nthread 0 {\n" + calls + "\n}\n",
      "test");
  sim::AnswerRequest request;
  if (!details.empty()) request.details = sim::parse_details(details);
  return sim::replayed(trace, machine, settings, request);
}

const sim::Tolerance& of(const sim::Answer& answer, sim::Parameter parameter) {
  const auto& all = answer.figure<sim::Tolerances>()->of;
  return *std::find_if(all.begin(), all.end(),
                       [&](const sim::Tolerance& one) { return one.parameter == parameter; });
}

constexpr double kSteps = 100, kCompute = 50e-6, kBytes = 8000;
const std::string kRing =
    "loop 100 {\nMPI_Sendrecv peer=+1 receive_peer=-1 bytes=8000 receive_bytes=8000 | compute "
    "50us\n}";
// Of one step: all ranks compute, then each sends to its neighbour and receives from the other.
const double kStep = kCompute + eager(kBytes);

}  // namespace

// System: rank 0 computes 10 ms, rank 1 30 ms, then they meet. Expectation: balance 20/30; the meeting is all that is left to the network.
TEST_CASE("answers: uneven computing is the load balance, exactly", "[physics]") {
  const auto answer = ask(2, "MPI_Barrier | compute {0: 10ms; 1: 30ms}", star(2), "efficiencies");
  const auto& e = *answer.figure<sim::Efficiencies>();
  const double time = 30e-3 + eager(0);
  CHECK(answer.outcome.predicted_time.value == near(time));
  CHECK(e.ideal_time.value == near(30e-3));
  CHECK(e.load_balance == near(2.0 / 3));
  CHECK(e.serialisation == near(1));
  CHECK(e.transfer == near(30e-3 / time));
  CHECK(e.communication == near(30e-3 / time));
  CHECK(e.parallel == near(20e-3 / time));
}

// System: rank 1 begins to compute when rank 0 has finished. Expectation: half the time somebody waits, on any network.
TEST_CASE("answers: computing one after the other is serialisation", "[physics]") {
  const auto answer = ask(2,
                          "ranks 0: MPI_Send peer=1 bytes=8000 | compute 10ms\nranks 1: MPI_Recv "
                          "peer=0 bytes=8000\nranks 1: MPI_Finalize | compute 10ms",
                          star(2), "efficiencies");
  const auto& e = *answer.figure<sim::Efficiencies>();
  CHECK(e.load_balance == near(1));
  CHECK(e.ideal_time.value == near(20e-3));
  CHECK(e.serialisation == near(0.5));
  CHECK(e.transfer == near(20e-3 / (20e-3 + eager(8000))));
  CHECK(e.parallel == near(e.load_balance * e.serialisation * e.transfer));
}

TEST_CASE("answers: a ring's time on the wire is its transfer", "[physics]") {
  for (const auto network : {sim::NetworkKind::flow, sim::NetworkKind::fluid,
                             sim::NetworkKind::queue, sim::NetworkKind::uncontended}) {
    sim::ReplaySettings settings;
    settings.network = network;
    const auto answer = ask(4, kRing, star(4), "efficiencies,links", settings);
    const auto& e = *answer.figure<sim::Efficiencies>();
    CHECK(answer.outcome.predicted_time.value == near(kSteps * kStep));
    CHECK(e.load_balance == near(1));
    CHECK(e.serialisation == near(1));
    CHECK(e.transfer == near(kCompute / kStep));
    const auto& classes = answer.figure<sim::LinkUse>()->classes;
    REQUIRE(classes.size() == 3);
    CHECK(classes[0].name == "node up");
    CHECK(classes[1].name == "node down");
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
      CHECK(classes[i].links == 4);
      CHECK(classes[i].used_links == 4);
      CHECK(classes[i].bytes == 4 * kSteps * kBytes);
      CHECK(classes[i].busy_share == near(kBytes / kBandwidth / kStep));
      CHECK(classes[i].mean_busy_share == near(kBytes / kBandwidth / kStep));
    }
    CHECK(classes[2].name == "intra-node");
    CHECK(classes[2].bytes == 0);
  }
}

// System: ranks 1 to 3 of a node of 4 send to rank 0, rank 1 gets one message back; each rank takes in a quarter of the node's bandwidth.
// Expectation: a link for each rank; rank 0's is busy while its bytes pass, the mean is over all four.
TEST_CASE("answers: each receiver inside a node has a link of its own", "[physics]") {
  platforms::Platform machine = star(1, 4);
  machine.network.reset();
  machine.intra_node_per_receiver = BytesPerSecond{kNodeBandwidth / 4};
  const std::string calls = R"(ranks 1-3: MPI_Send peer=0 bytes=8000
      ranks 0: MPI_Recv peer=1 bytes=8000
      ranks 0: MPI_Recv peer=2 bytes=8000
      ranks 0: MPI_Recv peer=3 bytes=8000
      ranks 0: MPI_Send peer=1 bytes=8000
      ranks 1: MPI_Recv peer=0 bytes=8000)";
  for (const auto network : {sim::NetworkKind::flow, sim::NetworkKind::fluid,
                             sim::NetworkKind::queue, sim::NetworkKind::uncontended}) {
    sim::ReplaySettings settings;
    settings.network = network;
    const auto answer = ask(4, calls, machine, "links", settings);
    const double one =
        kBytes / (kNodeBandwidth / 4) / answer.outcome.predicted_time.value;  // message
    const auto& classes = answer.figure<sim::LinkUse>()->classes;
    REQUIRE(classes.size() == 2);
    CHECK(classes[0].name == "intra-node receiver");
    CHECK(classes[0].links == 4);
    CHECK(classes[0].used_links == 2);
    CHECK(classes[0].bytes == 4 * kBytes);
    CHECK(classes[0].busy_share == near(3 * one));
    CHECK(classes[0].mean_busy_share == near(one));
    CHECK(classes[0].is_shared);
    CHECK(classes[1].name == "intra-node");
    CHECK(classes[1].bytes == 4 * kBytes);
    CHECK(classes[1].busy_share == near(one));
  }
}

TEST_CASE("answers: a program that only computes depends on computing alone", "[physics]") {
  const auto answer =
      ask(2, "loop 100 {\nMPI_Send peer=null bytes=0 | compute 1ms\n}", star(2), "tolerances");
  CHECK(of(answer, sim::Parameter::latency).elasticity == 0);
  CHECK(of(answer, sim::Parameter::bandwidth).elasticity == 0);
  CHECK(of(answer, sim::Parameter::compute).elasticity == near(1));
  CHECK_FALSE(of(answer, sim::Parameter::latency).costs_5_percent_at);
  CHECK_FALSE(of(answer, sim::Parameter::bandwidth).costs_5_percent_at);
  CHECK(of(answer, sim::Parameter::compute).costs_5_percent_at.value() ==
        Approx(1.05).epsilon(1e-3));
}

// T(f) = a + b·f: the elasticity is the part's share of the time, and 5 % more come at f = 1 + 0.05·T/b.
TEST_CASE("answers: a ring depends on each part by its share of the time", "[physics]") {
  const auto answer = ask(4, kRing, star(4), "tolerances");
  const double wire_time = kBytes / kBandwidth;
  const auto check = [&](sim::Parameter parameter, double share, double sign) {
    const auto& one = of(answer, parameter);
    CHECK(one.elasticity == Approx(sign * share).epsilon(2e-4));
    CHECK(one.uncertainty < 1e-6);
    const double worse = 1 + 0.05 / share;
    REQUIRE(one.costs_5_percent_at);
    CHECK(*one.costs_5_percent_at == Approx(sign > 0 ? worse : 1 / worse).epsilon(1e-3));
  };
  check(sim::Parameter::latency, kLatency / kStep, 1);
  check(sim::Parameter::bandwidth, wire_time / kStep, -1);
  check(sim::Parameter::compute, kCompute / kStep, 1);
}

TEST_CASE("answers: on one node the path inside it is what a run may depend on", "[physics]") {
  const auto answer = ask(2, kRing, star(1, 2), "tolerances");
  CHECK(of(answer, sim::Parameter::latency).elasticity > 1e-3);
  CHECK(of(answer, sim::Parameter::bandwidth).elasticity < -1e-3);
}

// SimGrid's network simulates once in a process: the flow network, which is the same model, takes its place.
TEST_CASE("answers: the band of a run on SimGrid's network is that of the flow network",
          "[physics]") {
  const auto trace = trace_io::assemble(
      "reprise-text 1\nranks 2\nthread 0 {\nMPI_Barrier | compute 1ms\n}\n", "test");
  auto machine = star(2);
  machine.mpi.uncertainty.emplace().typical = 0.25;
  const auto band_on = [&](sim::NetworkKind network) {
    sim::ReplaySettings settings;
    settings.network = network;
    return sim::calibration_band(trace, machine, settings, {}).value();
  };
  const auto reference = band_on(sim::NetworkKind::flow), band = band_on(sim::NetworkKind::simgrid);
  CHECK(band.uncertainty == 0.25);
  CHECK(band.high.value > 1e-3);
  CHECK(band.high == reference.high);
  CHECK(band.low == reference.low);
}

// System: two nodes whose memory was measured, and a network between them that was taken from elsewhere.
TEST_CASE("answers: a fit error is that of the paths that were measured", "[physics]") {
  const auto trace = trace_io::assemble(
      "reprise-text 1\nranks 2\nthread 0 {\nMPI_Barrier | compute 1ms\n}\n", "test");
  auto machine = star(2);
  machine.intra_node_mpi.uncertainty.emplace().typical = 0.25;
  const sim::ReplaySettings settings;
  const sim::Outcome apart = sim::replay(trace, machine, settings);
  CHECK(!sim::calibration_band(trace, machine, settings, apart));
  CHECK(sim::why_no_band(machine, apart) ==
        "the network between the platform's nodes was not measured");
  CHECK(sim::why_no_band(star(2), apart) == "the platform states no uncertainty");
  machine.mpi.uncertainty.emplace().typical = 0.1;
  CHECK(sim::calibration_band(trace, machine, settings, apart).value().uncertainty == 0.25);
}

TEST_CASE("answers: parts that nobody asks for are not there", "[physics]") {
  const auto answer = ask(2, "MPI_Barrier | compute 1ms", star(2), "");
  CHECK(details_json(answer).empty());
  CHECK(answer.outcome.predicted_time.value == near(1e-3 + eager(0)));
}

TEST_CASE("answers: call sites, matrix and time line hold the whole run", "[physics]") {
  const auto answer = ask(4, kRing, star(4), "call-sites,matrix,timeline");
  const auto& sites = answer.figure<sim::CallSites>()->uses;
  REQUIRE(sites.size() == 1);
  CHECK(sites[0].procedure == "MPI_Sendrecv");
  CHECK(sites[0].ranks == 4);
  CHECK(sites[0].account.calls == 400);
  CHECK(sites[0].account.compute == near(4 * kSteps * kCompute));
  CHECK(sites[0].account.in_mpi == near(4 * kSteps * eager(kBytes)));
  CHECK(sites[0].account.shortest == near(eager(kBytes)));
  CHECK(sites[0].account.longest == near(eager(kBytes)));
  const auto& matrix = *answer.figure<sim::TrafficMatrix>();
  CHECK(matrix.first_ranks == std::vector<std::int32_t>{0, 1, 2, 3, 4});
  for (std::size_t from = 0; from < 4; ++from)
    for (std::size_t to = 0; to < 4; ++to)
      CHECK(matrix.messages[from * 4 + to] == (to == (from + 1) % 4 ? 100 : 0));
  const auto& line = *answer.figure<sim::TimeLine>();
  double computing = 0;
  for (const auto& share : line.shares) computing += share.compute * line.bin.value;
  CHECK(computing == near(4 * kSteps * kCompute));
}

TEST_CASE("answers: the matrix as a table has a line for each pair that exchanges anything",
          "[physics]") {
  const auto answer = ask(2, "ranks 0: MPI_Send peer=1 bytes=10\nranks 1: MPI_Recv peer=0 bytes=10",
                          star(2), "matrix");
  CHECK(csv_text(answer.figure<sim::TrafficMatrix>()->rows()) ==
        "from_first_rank,from_last_rank,to_first_rank,to_last_rank,messages,bytes\n0,0,1,1,1,10\n");
}

}  // namespace reprise::test
