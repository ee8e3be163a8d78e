// SPDX-License-Identifier: MIT
// Loops whose compute times follow a recorded order of which blocks were left out, with and without fast-forward.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <string>

#include "sim/experiment/answer.hpp"
#include "sim/experiment/details/links.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/simulate.hpp"
#include "tests/unit/trace-io/order/ordered_job.hpp"
#include "trace-io/base/integers.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

using trace_io::testing::OrderedJob;

struct Pair {
  sim::Outcome full, forwarded;
};

Pair both(const OrderedJob& job) {
  const std::string text = trace_io::dump(merged(job));
  const std::size_t second_line = text.find('\n') + 1, body = text.find('\n', second_line) + 1;
  sim::ReplaySettings settings;
  settings.deltas = sim::Deltas::ordered;
  settings.fast_forward = false;
  const platforms::Platform machine = star(static_cast<std::uint32_t>(job.ranks));
  Pair pair;
  pair.full = simulate(job.ranks, text.substr(body), machine, settings);
  settings.fast_forward = true;
  pair.forwarded = simulate(job.ranks, text.substr(body), machine, settings);
  return pair;
}

void check_same(const Pair& pair, double within) {
  const double whole = pair.full.predicted_time.value;
  CHECK(pair.forwarded.operations == pair.full.operations);
  CHECK(std::abs(pair.forwarded.predicted_time.value - whole) <= within * whole);
  for (std::size_t rank = 0; rank < pair.full.ranks.size(); ++rank) {
    const auto &a = pair.full.ranks[rank], &b = pair.forwarded.ranks[rank];
    CHECK(std::abs(a.compute.value - b.compute.value) <= within * whole);
    CHECK(std::abs(a.communication.value - b.communication.value) <= within * whole);
    CHECK(std::abs(a.wait.value - b.wait.value) <= within * whole);
  }
}

std::int64_t drawn(int rank, int step) {
  const auto number =
      static_cast<std::uint64_t>(rank) * 1'000'003 + static_cast<std::uint64_t>(step);
  return static_cast<std::int64_t>(trace_io::mixed_bits(number) % 1000);
}

// Each step an exchange with both neighbours in a ring, of so many bytes.
trace_io::Trace exchanging(const OrderedJob& job, const std::function<std::int64_t(int)>& size) {
  std::string text = trace_io::dump(merged(job)), sizes;
  for (int step = 0, next = 0; step < job.steps; step = next) {
    while (next < job.steps && size(next) == size(step)) ++next;
    sizes +=
        (step == 0 ? "(" : ", ") + std::to_string(size(step)) + "*" + std::to_string(next - step);
  }
  sizes += ")";
  const auto replace = [&text](const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
      text.replace(at, what.size(), by);
  };
  replace("MPI_Barrier\n", "MPI_Sendrecv peer=+1 tag=1 bytes=" + sizes +
                               " receive_peer=-1 receive_tag=1 receive_bytes=" + sizes + "\n");
  replace("MPI_Barrier", "MPI_Sendrecv");
  return trace_io::assemble(text, "test");
}

}  // namespace

// System: 4 ranks, 200 000 steps of one barrier; long and short steps take turns, on other ranks at other times, and from step 70 000 on
// all are three times as long. 3125 blocks in 25 groups of 128: the 127 behind the first repeat it.
TEST_CASE("fast-forward: an order is followed group by group", "[physics]") {
  const OrderedJob job{.ranks = 4, .steps = 200'000, .duration = [](int rank, int step) {
                         return ((rank + step) % 2 ? 90'000 : 20'000) * (step < 70'000 ? 1 : 3);
                       }};
  const Pair pair = both(job);
  check_same(pair, 1e-9);
  CHECK(pair.full.predicted_time.value > 0.98 * 1e-9 * slowest(job));
  CHECK(pair.full.predicted_time.value < 1.02 * 1e-9 * slowest(job) + 200'000 * 20e-6);
  CHECK(pair.forwarded.forwarded.skipped_iterations > 170'000);
  CHECK(pair.forwarded.forwarded.error_bound.value <= 1e-6 * pair.full.predicted_time.value);
}

// System: as above with times drawn at random for each rank and step: only the blocks that were kept make them repeat.
TEST_CASE("fast-forward: times without a pattern repeat where blocks were left out", "[physics]") {
  const OrderedJob job{.ranks = 4, .steps = 150'000, .duration = [](int rank, int step) {
                         return 10'000 + 80 * drawn(rank, step);
                       }};
  const Pair pair = both(job);
  check_same(pair, 1e-9);
  CHECK(pair.forwarded.forwarded.skipped_iterations > 100'000);
}

// System: a second call in each step whose times vary by a thousandth of the step, without an order worth keeping.
// Expectation: its mean is known well enough after a while; groups long enough are jumped within the bound that is stated. How a rank's time
// is divided is known from 64 iterations of a group only.
TEST_CASE("fast-forward: beside an order, times without one are known by their mean", "[physics]") {
  const OrderedJob job{.ranks = 4,
                       .steps = 600'000,
                       .duration = [](int, int step) { return step % 2 ? 900'000 : 200'000; },
                       .second = [](int rank, int step) { return 100 + drawn(rank, step); }};
  const Pair pair = both(job);
  check_same(pair, 3e-4);
  CHECK(pair.forwarded.forwarded.skipped_iterations > 300'000);
  const double off = pair.forwarded.predicted_time.value - pair.full.predicted_time.value;
  CHECK(std::abs(off) <= pair.forwarded.forwarded.error_bound.value);
}

// 2048 executions are kept whole: none of them repeats another. What each computes is known, and where messages do not meet, so is the rest.
TEST_CASE("fast-forward: an order that was kept whole is foretold", "[physics]") {
  const OrderedJob job{.ranks = 4, .steps = 2000, .duration = [](int rank, int step) {
                         return 10'000 + 80 * drawn(rank, step);
                       }};
  const Pair pair = both(job);
  check_same(pair,
             0.02);  // how time in MPI is divided is told by the iterations that were replayed
  for (std::size_t rank = 0; rank < pair.full.ranks.size(); ++rank)
    CHECK(pair.forwarded.ranks[rank].compute.value ==
          Approx(pair.full.ranks[rank].compute.value).epsilon(1e-9));
  CHECK(pair.forwarded.forwarded.skipped_iterations > 1500);
  const double off = pair.forwarded.predicted_time.value - pair.full.predicted_time.value;
  CHECK(std::abs(off) <= pair.forwarded.forwarded.error_bound.value);
  CHECK(pair.forwarded.forwarded.error_bound.value < 5e-3 * pair.full.predicted_time.value);
}

// System: ranks wait long for rank 0 before the loop, and a second call in each step computes as long each time: it never varies.
// Expectation: what a rank computes is known in all iterations, wherever it computes; what a barrier's messages take depends a little on who comes last.
TEST_CASE("fast-forward: computing that never varies, and waiting before the loop, are kept apart",
          "[physics]") {
  const OrderedJob job{.ranks = 4,
                       .steps = 2000,
                       .duration =
                           [](int rank, int step) {
                             if (step == 0) return std::int64_t{rank == 0 ? 500'000'000 : 10'000};
                             return 10'000 + 80 * drawn(rank, step);
                           },
                       .second = [](int, int) { return std::int64_t{30'000}; }};
  const Pair pair = both(job);
  CHECK(pair.forwarded.forwarded.skipped_iterations > 1500);
  for (std::size_t rank = 0; rank < pair.full.ranks.size(); ++rank) {
    const auto &full = pair.full.ranks[rank], &forwarded = pair.forwarded.ranks[rank];
    CHECK(forwarded.compute.value == Approx(full.compute.value).epsilon(1e-9));
    CHECK(forwarded.communication.value == Approx(full.communication.value).epsilon(0.1));
    CHECK(forwarded.wait.value == Approx(full.wait.value).epsilon(0.01));
  }
}

// System: messages of 100 kB in the first half of a loop, and of 1 MB in the other: none is more than twice the mean.
// Expectation: each half is foretold from its own iterations; bytes on links are those of all messages.
TEST_CASE("fast-forward: phases with sizes of their own are taken one after the other",
          "[physics]") {
  constexpr int kSteps = 2048;
  const OrderedJob job{.ranks = 4, .steps = kSteps, .duration = [](int rank, int step) {
                         return 10'000 + 80 * drawn(rank, step);
                       }};
  const trace_io::Trace trace =
      exchanging(job, [](int step) { return step < kSteps / 2 ? 100'000 : 1'000'000; });
  const auto answered = [&](bool fast_forward, const char* details) {
    sim::ReplaySettings settings;
    settings.fast_forward = fast_forward;
    sim::AnswerRequest request;
    request.details = sim::parse_details(details);
    return sim::replayed(trace, star(4), settings, request);
  };
  const sim::Answer full = answered(false, "call-sites,links"),
                    forwarded = answered(true, "call-sites,links");
  const double whole = full.outcome.predicted_time.value;
  CHECK(forwarded.outcome.forwarded.skipped_iterations > 1200);
  CHECK(forwarded.outcome.forwarded.error_bound.value < 5e-3 * whole);
  CHECK(forwarded.outcome.predicted_time.value == Approx(whole).epsilon(5e-3));
  for (std::size_t rank = 0; rank < 4; ++rank) {
    const auto &one = full.outcome.ranks[rank], &other = forwarded.outcome.ranks[rank];
    CHECK(other.compute.value == Approx(one.compute.value).epsilon(1e-9));
    CHECK(std::abs(other.communication.value - one.communication.value) < 0.01 * whole);
    CHECK(std::abs(other.wait.value - one.wait.value) < 0.01 * whole);
  }
  const auto& classes = forwarded.figure<sim::LinkUse>()->classes;
  double most = 0;
  for (const auto& use : classes) most = std::max(most, use.bytes);
  CHECK(most == 4 * 1024 * (1e5 + 1e6));
}

// System: sizes that scatter by a quarter, three times as large in the second half of the loop; and small messages that grow by a half.
// Expectation: two phases, and one; the full replay is inside the stated bound.
TEST_CASE("fast-forward: phases are found where sizes scatter, and drift counts by what it costs",
          "[physics]") {
  const auto jitter = [](int step) { return drawn(7, step) * 5 / 2; };  // 0 to 2500 bytes
  const auto size = GENERATE_COPY(
      std::function<std::int64_t(int)>(
          [=](int step) { return (step < 1024 ? 1 : 3) * (10'000 + jitter(step)); }),
      std::function<std::int64_t(int)>([=](int step) { return 8000 + 2 * step + jitter(step); }));
  const trace_io::Trace trace =
      exchanging({.ranks = 4,
                  .steps = 2048,
                  .duration = [](int rank, int step) { return 200'000 + 80 * drawn(rank, step); }},
                 size);
  sim::ReplaySettings settings;
  settings.fast_forward = false;
  const sim::Outcome full = sim::replayed(trace, star(4), settings, {}).outcome;
  settings.fast_forward = true;
  const sim::Outcome forwarded = sim::replayed(trace, star(4), settings, {}).outcome;
  const double whole = full.predicted_time.value;
  CHECK(forwarded.forwarded.skipped_iterations > 1500);
  CHECK(forwarded.forwarded.error_bound.value < 5e-3 * whole);
  CHECK(std::abs(forwarded.predicted_time.value - whole) <= forwarded.forwarded.error_bound.value);
  CHECK(forwarded.messages == full.messages);
}

// The same job. Which of two chains decides, and by how much, is not what a few of its iterations say.
TEST_CASE(
    "fast-forward: what follows a path through the run is taken of all iterations, unless "
    "estimates are asked for",
    "[physics]") {
  const OrderedJob job{.ranks = 4, .steps = 2000, .duration = [](int rank, int step) {
                         return 10'000 + 80 * drawn(rank, step);
                       }};
  const trace_io::Trace trace = merged(job);
  const platforms::Platform machine = star(4);
  const auto asked = [&](bool fast_forward, bool estimated) {
    sim::ReplaySettings settings;
    settings.fast_forward = fast_forward;
    sim::AnswerRequest request;
    request.details = sim::parse_details("critical-path,sensitivities,delay-costs");
    request.estimated_parts = estimated;
    return sim::replayed(trace, machine, settings, request);
  };
  const sim::Answer full = asked(false, false), whole = asked(true, false),
                    estimated = asked(true, true);
  CHECK(whole.outcome.forwarded.skipped_iterations == 0);
  CHECK(whole.outcome.predicted_time == full.outcome.predicted_time);
  CHECK(sim::details_json(whole) == sim::details_json(full));
  CHECK(estimated.outcome.forwarded.skipped_iterations > 1500);
}

}  // namespace reprise::test
