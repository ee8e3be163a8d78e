// SPDX-License-Identifier: MIT
// What the iterations of the main loop take: closed forms, with iterations left out and without.
#include <catch2/catch.hpp>

#include "sim/engine/observe/observation.hpp"
#include "sim/engine/replay.hpp"
#include "sim/experiment/answer.hpp"
#include "tests/physics/machines.hpp"
#include "tests/unit/trace-io/order/ordered_job.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

using sim::IterationMeter;
using trace_io::testing::OrderedJob;
using Metric = IterationMeter::Metric;

constexpr double kMicro = 1e-6;

struct Seen {
  sim::Observation observation{{.iterations = true}};
  sim::Outcome outcome;
  const IterationMeter& meter() const { return observation.iterations(); }
};

void watch(Seen& seen, const trace_io::Trace& trace, bool fast_forward) {
  sim::ReplaySettings settings;
  settings.deltas = sim::Deltas::ordered;
  settings.fast_forward = fast_forward;
  settings.observation = &seen.observation;
  seen.outcome = sim::replay(trace, star(static_cast<std::uint32_t>(trace.header.ranks)), settings);
}

double most(const IterationMeter& seen, std::size_t column, Metric metric) {
  return seen.columns()[column].most[static_cast<std::size_t>(metric)];
}
double least(const IterationMeter& seen, std::size_t column, Metric metric) {
  return seen.columns()[column].least[static_cast<std::size_t>(metric)];
}
double sum(const IterationMeter& seen, Metric metric) {
  double all = 0;
  for (std::size_t row = 0; row < seen.row_count(); ++row)
    for (std::size_t column = 0; column < seen.columns().size(); ++column)
      all += seen.at(row, column).sums[static_cast<std::size_t>(metric)];
  return all;
}

}  // namespace

// System: 4 ranks, a barrier a step; every 10th step rank 2 computes 500 us, else 100 us, the others always 100 us.
TEST_CASE("iterations: the slow rank's long step is in its column, and the others wait for it",
          "[physics]") {
  const OrderedJob job{.ranks = 4, .steps = 100, .duration = [](int rank, int step) {
                         return rank == 2 && step % 10 == 5 ? 500'000 : 100'000;
                       }};
  Seen seen;
  watch(seen, merged(job), false);
  const IterationMeter& meter = seen.meter();
  REQUIRE(meter.iterations() == 100);
  REQUIRE(meter.iterations_per_column() == 1);
  REQUIRE(meter.row_count() == 4);
  REQUIRE(meter.columns().size() == 100);
  for (std::size_t step = 1; step < 100; ++step) {
    const bool is_long = step % 10 == 5;
    CHECK(most(meter, step, Metric::compute) ==
          Approx((is_long ? 500 : 100) * kMicro).epsilon(0.02));
    CHECK(least(meter, step, Metric::compute) == Approx(100 * kMicro).epsilon(0.02));
    CHECK((most(meter, step, Metric::wait) > 390 * kMicro) == is_long);
    CHECK(most(meter, step, Metric::calls) == 1);
    CHECK(meter.at(2, step).iterations == 1);
    CHECK(meter.at(2, step).sums[static_cast<std::size_t>(Metric::compute)] ==
          Approx((is_long ? 500 : 100) * kMicro).epsilon(0.02));
  }
}

// System: as above, 200 000 steps: 200 columns of 1024 iterations at most, and what fast-forward leaves out is in them.
TEST_CASE("iterations: with those that are left out they add up to the ranks' times", "[physics]") {
  const OrderedJob job{.ranks = 4, .steps = 200'000, .duration = [](int rank, int step) {
                         return (rank + step) % 2 ? 90'000 : 20'000;
                       }};
  const trace_io::Trace trace = merged(job);
  Seen all, some;
  watch(all, trace, false);
  watch(some, trace, true);
  REQUIRE(some.outcome.forwarded.skipped_iterations > 100'000);
  for (const auto* seen : {&all, &some}) {
    CHECK(seen->meter().iterations() == 200'000);
    CHECK(seen->meter().iterations_per_column() == 1024);
    CHECK(seen->meter().columns().size() == 196);
    CHECK(sum(seen->meter(), Metric::calls) == 4 * 200'000);
  }
  // What stands for many iterations has their median as often: whichever columns they fall into.
  const auto computing = static_cast<std::size_t>(Metric::compute);
  for (std::size_t column = 0; column < 196; ++column)
    REQUIRE(some.meter().columns()[column].medians[computing] ==
            Approx(all.meter().columns()[column].medians[computing]).epsilon(1e-3));
  for (const auto* seen : {&all, &some}) {
    double compute = 0, wait = 0, communication = 0;
    for (const auto& rank : seen->outcome.ranks) {
      compute += rank.compute.value;
      wait += rank.wait.value;
      communication += rank.communication.value;
    }
    CHECK(sum(seen->meter(), Metric::compute) == Approx(compute).epsilon(1e-9));
    CHECK(sum(seen->meter(), Metric::wait) == Approx(wait).epsilon(1e-9));
    CHECK(sum(seen->meter(), Metric::communicate) == Approx(wait + communication).epsilon(1e-9));
  }
}

// Rank 0 computes 4 ms at each step 1000 k, rank 1 at 1000 k + 400, else 20 us or 21 by turns: 20 such steps of each in 20 000.
TEST_CASE(
    "iterations: rare long steps of a long run are where they were, unless estimates are asked for",
    "[physics]") {
  const OrderedJob job{.ranks = 2, .steps = 20'000, .duration = [](int rank, int step) {
                         return step % 1000 == 400 * rank ? 4'000'000 : 20'000 + step % 2 * 1000;
                       }};
  const trace_io::Trace trace = merged(job);
  sim::ReplaySettings settings;
  settings.deltas = sim::Deltas::ordered;
  const auto longest_of = [&](bool are_estimated) {
    const auto answer = sim::replayed(
        trace, star(2), settings,
        {.details = sim::parse_details("iterations"), .estimated_parts = are_estimated});
    std::vector<std::size_t> columns;
    const auto json = answer.details.front().second->json();
    const auto longest = json["graph"]["compute"]["largest"].get<std::vector<double>>();
    for (std::size_t i = 0; i < longest.size(); ++i)
      if (longest[i] > 3e-3) columns.push_back(i);
    return std::pair(columns, json["iterations_per_column"].get<std::size_t>());
  };
  const auto [columns, size] = longest_of(false);
  std::vector<std::size_t> expected;
  for (std::size_t step = 400; step < 20'000; step += step % 1000 == 400 ? 600 : 400)
    if (expected.empty() || expected.back() != step / size) expected.push_back(step / size);
  CHECK(std::vector(columns.begin() + 1, columns.end()) ==
        expected);  // the first step's is its own
  CHECK(longest_of(true).first.size() < expected.size());
}

TEST_CASE("iterations: a program without a loop has none", "[physics]") {
  Seen seen;
  watch(seen,
        trace_io::assemble("reprise-text 1\nranks 2\nthread 0 {\n"
                           "all: MPI_Init\nall: MPI_Barrier comm=0\n"
                           "all: MPI_Finalize\n}\n",
                           "t.txt"),
        false);
  CHECK(seen.meter().iterations() == 0);
  CHECK(seen.meter().columns().empty());
  CHECK(seen.meter().row_count() == 0);
}

}  // namespace reprise::test
