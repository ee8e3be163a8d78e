// SPDX-License-Identifier: MIT
// How the run time grows with each parameter, as one replay tells it, against closed forms and differences of further replays.
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "sim/experiment/answer.hpp"
#include "sim/experiment/details/critical_path.hpp"
#include "sim/experiment/details/sensitivities.hpp"
#include "sim/experiment/details/tolerances.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

using sim::Parameter;

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

// Times are of first degree in all durations: what they grow by adds up to them.
double sum_of_slopes(const sim::CriticalPathParts& path) {
  double sum = path.rest;
  for (const auto& one : path.gradient) sum += is_rate(one.parameter) ? -one.seconds : one.seconds;
  return sum;
}

std::string micros(double seconds) { return std::to_string(seconds * 1e6) + "us"; }

}  // namespace

// System: two ranks of one node send to two ranks of another at once: each gets half of the link, from begin to end.
TEST_CASE("slopes: what a shared link adds is a part of its own, and the bandwidth's",
          "[physics]") {
  const auto path = path_of(program(4, R"(ranks 0-1: MPI_Send peer=+2 bytes=60kB
    ranks 2-3: MPI_Recv peer=-2 bytes=60kB)"),
                            star(2, 2));
  CHECK(path.sum_of(sim::PathPart::transfer) == near(60e3 / kBandwidth));
  CHECK(path.sum_of(sim::PathPart::sharing) == near(60e3 / kBandwidth));
  CHECK(path.why_not.empty());
  CHECK(path.gradient_of(Parameter::bandwidth) == near(-120e3 / kBandwidth));
  CHECK(path.gradient_of(Parameter::latency) == near(kLatency));
}

// System: rank 1 sends 20 µs of computing after rank 0, over the same link. The first message has the link for these 20 µs, then both have
// half of it: the first ends at s₀ + 2·n/B − 20 µs, and rank 2 waits for it. So its end comes earlier by what rank 1 computes longer.
TEST_CASE("slopes: who begins to share a link later lets the other end earlier", "[physics]") {
  constexpr double kBytes = 60e3, kLater = 20e-6;
  const auto path = path_of(program(4, R"(ranks 0: MPI_Isend peer=2 bytes=60kB request=0
    ranks 1: MPI_Isend peer=3 bytes=60kB request=0 | compute )" +
                                           micros(kLater) + R"(
    ranks 2: MPI_Recv peer=0 bytes=60kB
    ranks 2: MPI_Finalize | compute 500us)"),
                            star(2, 2));
  CHECK(path.time == near(kSendOverhead + kLatency + 2 * kBytes / kBandwidth - kLater +
                          kReceiveOverhead + 500e-6));
  CHECK(path.why_not.empty());
  CHECK(path.gradient_of(Parameter::bandwidth) == near(-2 * kBytes / kBandwidth));
  CHECK(path.gradient_of(Parameter::compute) == near(500e-6 - kLater));
  CHECK(path.gradient_of(Parameter::latency) == near(kLatency));
  CHECK(sum_of_slopes(path) == near(path.time));
}

// System: as above, but the second begins 1 ns before the first ends, after 59.999 µs of computing. A change of 1 % parts them: the slope
// of −1 per second that rank 1 computes longer holds for 1 ns of the 600 that such a change is.
TEST_CASE("slopes: messages that meet for a moment keep the slope at the beginning", "[physics]") {
  constexpr double kBytes = 60e3, kLater = 59.999e-6;
  const auto path = path_of(program(4, R"(ranks 0: MPI_Isend peer=2 bytes=60kB request=0
    ranks 1: MPI_Isend peer=3 bytes=60kB request=0 | compute )" +
                                           micros(kLater) + R"(
    ranks 2: MPI_Recv peer=0 bytes=60kB
    ranks 2: MPI_Finalize | compute 500us)"),
                            star(2, 2));
  CHECK(path.why_not == "messages on the path share links for a moment only");
  CHECK(path.gradient_of(Parameter::compute) == Approx(500e-6).epsilon(1e-3));
  CHECK(path.gradient_of(Parameter::bandwidth) == Approx(-kBytes / kBandwidth).epsilon(5e-3));
  CHECK(sum_of_slopes(path) == near(path.time));
  CHECK(path.uncertainty < 0.01 * path.time);
}

// System: rank 1 has computed when the message from rank 0 comes. More computing makes the run longer, less does not: the slope is between.
TEST_CASE("slopes: of two paths that take the same time they are halfway", "[physics]") {
  const double same = kSendOverhead + wire(1000);
  const auto path = path_of(program(2, R"(ranks 0: MPI_Send peer=1 bytes=1000
    ranks 1: MPI_Irecv peer=0 bytes=1000 request=0
    ranks 1: MPI_Wait request=0 | compute )" +
                                           micros(same)),
                            star(2));
  CHECK(path.why_not == "two paths of different parts take the same time");
  CHECK(path.gradient_of(Parameter::compute) == near(same / 2));
  CHECK(path.gradient_of(Parameter::latency) == near(kLatency / 2));
  CHECK(path.gradient_of(Parameter::bandwidth) == near(-1000 / kBandwidth / 2));
  CHECK(path.uncertainty == near(same / 2));
  CHECK(sum_of_slopes(path) == near(path.time));
}

// System: two ranks end at one time, one by computing and one by sending; nobody waits for either.
TEST_CASE("slopes: ranks that end at one time are a tie, too", "[physics]") {
  const auto path = path_of(program(2, R"(ranks 0: MPI_Send peer=null bytes=8 | compute 99.7us
    ranks 0: MPI_Send peer=null bytes=8 | compute 0.3us
    ranks 1: MPI_Isend peer=0 bytes=0 request=0 | compute )" +
                                           micros(100e-6 - kSendOverhead)),
                            star(2));
  CHECK(path.gradient_of(Parameter::compute) == near(100e-6 - kSendOverhead / 2));
  CHECK(path.gradient_of(Parameter::send_overhead) == near(kSendOverhead / 2));
  CHECK(path.why_not == "two paths of different parts take the same time");
}

namespace {

// Programs with random computing and sizes, so that no two paths are alike.
trace_io::Trace random_program(int kind, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const int ranks = 4 + static_cast<int>(random() % 5);
  const auto micros = [&] { return std::to_string(100 + random() % 3000) + "us"; };
  const auto bytes = [&] { return std::to_string(1000 + random() % 200000); };
  const auto uneven = [&] {
    std::string times = "{";
    for (int rank = 0; rank < ranks; ++rank)
      times += (rank > 0 ? "; " : "") + std::to_string(rank) + ": " + micros();
    return times + "}";
  };
  std::string calls;
  for (int step = 0; step < 4; ++step) {
    const std::string size = bytes();
    if (kind == 0)
      calls += "MPI_Sendrecv peer=+1 receive_peer=-1 bytes=" + size + " receive_bytes=" + size +
               " | compute " + uneven() + "\n";
    if (kind == 1) calls += "MPI_Allreduce send_bytes=" + size + " | compute " + uneven() + "\n";
    if (kind == 2)
      calls += "MPI_Irecv peer=-1 bytes=" + size + " request=0\nMPI_Isend peer=+1 bytes=" + size +
               " request=1\nMPI_Waitall requests=[0, 1] | compute " + uneven() + "\n";
    if (kind == 3)
      calls += "MPI_Bcast send_bytes=" + size + " peer=" + std::to_string(step % ranks) +
               " | compute " + uneven() + "\nMPI_Barrier | compute " + uneven() + "\n";
    if (kind == 4)
      calls += "MPI_Alltoall send_bytes=" + size + " receive_bytes_per_peer=" + size +
               " | compute " + uneven() + "\n";
  }
  return program(ranks, calls);
}

platforms::Platform slow_star(std::uint32_t nodes, std::uint32_t cores,
                              platforms::Sharing sharing) {
  platforms::Platform machine = star(nodes, cores, sharing);
  machine.network->link.latency = Seconds{100e-6};
  machine.network->link.bandwidth = BytesPerSecond{1e8};
  for (platforms::Mpi* mpi : {&machine.mpi, &machine.intra_node_mpi}) {
    mpi->send_overhead = Seconds{30e-6};
    mpi->recv_overhead = Seconds{50e-6};
    mpi->copy_bandwidth = BytesPerSecond{4e8};
  }
  return machine;
}

// All ranks on nodes of their own whose links nobody shares; on nodes of two and four that do.
std::vector<platforms::Platform> machines_for(std::uint32_t ranks) {
  using platforms::Sharing;
  return {slow_star(ranks, 1, Sharing::kUncontended), slow_star(ranks, 2, Sharing::kFullDuplex),
          slow_star(ranks, 4, Sharing::kShared)};
}

struct Knob {
  sim::Parameter parameter;
  void (*turn)(platforms::Platform&, sim::ReplaySettings&, double factor);
};
constexpr Knob kKnobs[] = {
    {sim::Parameter::compute, [](auto&, auto& settings, double f) { settings.compute_scale *= f; }},
    {sim::Parameter::latency, [](auto& m, auto&, double f) { m.network->link.latency.value *= f; }},
    {sim::Parameter::bandwidth,
     [](auto& m, auto&, double f) { m.network->link.bandwidth.value *= f; }},
    {sim::Parameter::send_overhead,
     [](auto& m, auto&, double f) { m.mpi.send_overhead.value *= f; }},
    {sim::Parameter::recv_overhead,
     [](auto& m, auto&, double f) { m.mpi.recv_overhead.value *= f; }},
    {sim::Parameter::copy_bandwidth,
     [](auto& m, auto&, double f) { m.mpi.copy_bandwidth->value *= f; }},
    {sim::Parameter::inside_latency,
     [](auto& m, auto&, double f) { m.intra_node.latency.value *= f; }},
    {sim::Parameter::inside_copy_bandwidth,
     [](auto& m, auto&, double f) { m.intra_node_mpi.copy_bandwidth->value *= f; }},
};

}  // namespace

// Expectation: dT/d ln p by a central difference is the slope, for every parameter, wherever that is called exact.
TEST_CASE("slopes: they are those of finite differences", "[physics]") {
  int exact = 0, exact_and_shared = 0, moved = 0;
  for (int kind = 0; kind < 5; ++kind)
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto trace = random_program(kind, 100 * static_cast<std::uint64_t>(kind) + seed);
      for (const platforms::Platform& machine :
           machines_for(static_cast<std::uint32_t>(trace.header.ranks))) {
        const sim::ReplaySettings settings;
        const auto path = path_of(trace, machine, settings);
        CHECK(sum_of_slopes(path) == near(path.time));
        if (!path.why_not.empty()) continue;
        ++exact;
        if (path.sum_of(sim::PathPart::sharing) > 0) ++exact_and_shared;
        for (const Knob& knob : kKnobs) {
          const double gradient = path.gradient_of(knob.parameter);
          // Of three steps one that has no kink in it; times are on a grid, so that small steps are less sharp.
          bool agrees = false;
          std::string seen;
          for (const double step : {1e-4, 2e-5, 5e-6}) {
            double times[2];
            for (const int side : {0, 1}) {
              platforms::Platform changed = machine;
              sim::ReplaySettings with = settings;
              knob.turn(changed, with, std::exp(side == 0 ? -step : step));
              times[side] = sim::replay(trace, changed, with).predicted_time.value;
            }
            const double difference = (times[1] - times[0]) / (2 * step);
            seen += " " + std::to_string(difference * 1e6);
            agrees = agrees || std::abs(difference - gradient) <=
                                   1e-4 * std::abs(gradient) + 1e-10 * path.time / step;
          }
          INFO("kind " << kind << " seed " << seed << ", " << machine.nodes.cores << " cores, "
                       << name_of(knob.parameter) << ": " << gradient * 1e6 << " us by the path,"
                       << seen << " by replays");
          CHECK(agrees);
          if (std::abs(gradient) > 1e-3 * path.time) ++moved;
        }
      }
    }
  CHECK(exact >= 25);
  CHECK(exact_and_shared >= 5);
  CHECK(moved >= 60);
}

// System: an all-to-all after times that are drawn, a loop that a replay leaves iterations out of, unless the parts of its path are asked for, as for
// tolerances. Expectation: their further replays are whole as well. What fast-forward leaves open, some tenths of a per cent of the run, would be fifty
// times as much over a step of 1 %: of another all-to-all the latency, worth 0.01 %, had ± 0.28 %.
TEST_CASE("slopes: further replays of a run that was replayed whole leave nothing out",
          "[physics]") {
  const auto trace = program(4,
                             "loop 20000 { MPI_Alltoall send_bytes=60000 "
                             "receive_bytes_per_peer=60000 | compute (limit=3 count=80000 "
                             "sum=7000000000 squares=0:950000000000000 min=50000@0 max=200000@3 "
                             "bins=[60000/3000000000, 20000/4000000000]) }");
  sim::ReplaySettings settings;
  settings.deltas = sim::Deltas::sample;
  REQUIRE(sim::replay(trace, star(4), settings).forwarded.error_bound.value > 0);
  const auto run =
      sim::replayed(trace, star(4), settings, {.details = sim::parse_details("tolerances")});
  REQUIRE(run.outcome.forwarded.skipped_iterations == 0);
  const sim::Tolerance& latency = run.figure<sim::Tolerances>()->of[0];
  CHECK(latency.parameter == Parameter::latency);
  CHECK(latency.elasticity < 0.01);
  CHECK(latency.uncertainty < 1e-3);
}

// Expectation: an error as large as the time itself is no statement about any parameter, and none is made.
TEST_CASE("slopes: estimates whose error is not bounded are said to be so", "[physics]") {
  sim::Sensitivities figure;
  figure.of = {{sim::Parameter::compute, 0.867, 1.0}, {sim::Parameter::latency, 0.002, 0.0}};
  figure.why_not = "messages on the path share links for a moment only";
  CHECK(figure.text() ==
        "\nsensitivity                   1% more changes time\n"
        "compute                                   +0.867%\n"
        "latency                                   +0.002%\n"
        "(estimates, how exact is not known: messages on the path share links for a moment only; "
        "--details tolerances replays the changed run)\n");
  figure.of[0].uncertainty = 0.1;
  CHECK(figure.text().find("+0.867%  (± 0.100%)\n") != std::string::npos);
  CHECK(figure.text().ends_with(
      "(within 0.100%, not exact: messages on the path share links for a moment only; --details "
      "tolerances replays the changed run)\n"));
}

// Expectation: whatever shares, queues or ties, slopes add up to the time, and the answer says how far off they may be.
TEST_CASE("slopes: elasticities add up to one, on all networks", "[physics]") {
  for (const auto network : {sim::NetworkKind::uncontended, sim::NetworkKind::flow,
                             sim::NetworkKind::fluid, sim::NetworkKind::queue})
    for (int kind = 0; kind < 5; ++kind) {
      const auto trace = random_program(kind, 3 + static_cast<std::uint64_t>(kind));
      sim::ReplaySettings settings;
      settings.network = network;
      const auto machine = slow_star(2, 4, platforms::Sharing::kShared);
      const auto answer =
          sim::replayed(trace, machine, settings, {.details = sim::parse_details("sensitivities")});
      double sum = 0;
      for (const auto& one : answer.figure<sim::Sensitivities>()->of)
        sum += is_rate(one.parameter) ? -one.elasticity : one.elasticity;
      CHECK(sum == near(1));
    }
}

}  // namespace reprise::test
