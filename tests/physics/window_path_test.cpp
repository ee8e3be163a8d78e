// SPDX-License-Identifier: MIT
// The critical path inside a window, step by step: of programs whose path is known, and that it is whole.
#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "sim/engine/observe/observation.hpp"
#include "sim/engine/replay.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

using sim::PathPart;
using sim::PathStep;
using sim::WindowQuestion;

struct Seen {
  sim::Observation observation{sim::Watched{.path = true}};
  sim::Outcome outcome;
  std::vector<PathStep> steps;
};

void watch(Seen& seen, int ranks, const std::string& calls, WindowQuestion question,
           bool fast_forward = true) {
  const auto trace = trace_io::assemble(
      "reprise-text 1\nranks " + std::to_string(ranks) + "\nthread 0 {\n" + calls + "\n}\n",
      "test");
  sim::ReplaySettings settings;
  settings.deltas = sim::Deltas::mean;
  settings.fast_forward = fast_forward;
  seen.observation.open_window(std::move(question));
  settings.observation = &seen.observation;
  seen.outcome = sim::replay(trace, star(static_cast<std::uint32_t>(ranks)), settings);
  seen.steps = seen.observation.path()->steps();
}

void check_step(const PathStep& step, std::int32_t rank, PathPart part, double from, double to) {
  CHECK(step.rank == rank);
  CHECK(name_of(step.part) == name_of(part));
  CHECK(step.from == near(from));
  CHECK(step.to == near(to));
}

// Each step begins where the one before it ends.
void check_whole(const std::vector<PathStep>& steps) {
  for (std::size_t i = 1; i < steps.size(); ++i) {
    INFO("step " << i << " of rank " << steps[i].rank << ", " << name_of(steps[i].part));
    REQUIRE(steps[i].from == near(steps[i - 1].to));
  }
}

// Everybody computes, exchanges with both neighbours, and agrees.
const std::string kHalo =
    "loop 200 { MPI_Irecv peer=-1 tag=1 bytes=20kB request=0\n"
    "  MPI_Irecv peer=+1 tag=2 bytes=200kB request=1\n"
    "  MPI_Isend peer=+1 tag=1 bytes=20kB request=2 | compute {0: 40us; 1-2: 50us; 3: 70us; 4-7: "
    "45us}\n"
    "  MPI_Isend peer=-1 tag=2 bytes=200kB request=3\n"
    "  MPI_Waitall requests=[0, 1, 2, 3]\n"
    "  MPI_Allreduce send_bytes=8 }\n"
    "MPI_Barrier";

}  // namespace

// System: rank 0 computes 10 µs and sends to rank 1, which computes 20 µs and sends to rank 2, which computes 30 µs.
TEST_CASE("window path: a pipeline's, step by step", "[physics]") {
  Seen seen;
  watch(seen, 3, R"(ranks 0: MPI_Send peer=1 bytes=1000 | compute 10us
    ranks 1: MPI_Recv peer=0 bytes=1000
    ranks 1: MPI_Send peer=2 bytes=1000 | compute 20us
    ranks 2: MPI_Recv peer=1 bytes=1000
    ranks 2: MPI_Finalize | compute 30us)",
        {});
  const auto& steps = seen.steps;
  REQUIRE(steps.size() == 11);
  double at = 0;
  std::size_t next = 0;
  for (const std::int32_t rank : {0, 1}) {
    const double computed = at + (rank == 0 ? 10e-6 : 20e-6), sent = computed + kSendOverhead;
    check_step(steps[next++], rank, PathPart::compute, at, computed);
    check_step(steps[next++], rank, PathPart::send_overhead, computed, sent);
    check_step(steps[next++], rank, PathPart::latency, sent, sent + kLatency);
    check_step(steps[next++], rank, PathPart::transfer, sent + kLatency, sent + wire(1000));
    at = sent + wire(1000) + kReceiveOverhead;
    check_step(steps[next++], rank + 1, PathPart::receive_overhead, at - kReceiveOverhead, at);
  }
  check_step(steps[next], 2, PathPart::compute, at, at + 30e-6);
  CHECK(seen.outcome.predicted_time.value == near(at + 30e-6));
}

TEST_CASE("window path: of the whole run it adds up to the predicted time, part by part",
          "[physics]") {
  Seen seen;
  watch(seen, 8, kHalo, {}, false);
  check_whole(seen.steps);
  CHECK(seen.steps.front().from == 0);
  CHECK(seen.steps.back().to == near(seen.outcome.predicted_time.value));
  std::map<PathPart, double> of_steps, of_result;
  for (const auto& step : seen.steps) of_steps[step.part] += step.to - step.from;
  for (const auto& entry : seen.observation.path()->result().entries)
    if (!sim::PathCell::is_one(entry.key))
      of_result[sim::PathKey::unpacked(entry.key).part] += entry.seconds;
  REQUIRE(of_steps.size() == of_result.size());
  for (const auto& [part, seconds] : of_result) CHECK(of_steps[part] == near(seconds));
}

TEST_CASE("window path: of a time span it is that part of the whole run's", "[physics]") {
  Seen whole, part;
  watch(whole, 8, kHalo, {}, false);
  const double from = 0.4 * whole.outcome.predicted_time.value,
               to = 0.5 * whole.outcome.predicted_time.value;
  watch(part, 8, kHalo, {.from = from, .to = to}, false);
  REQUIRE(part.steps.size() > 20);
  check_whole(part.steps);
  CHECK(part.steps.front().from <= from);
  CHECK(part.steps.front().to >= from);
  CHECK(part.steps.back().to >= to);
  // All of the whole path that touches the window, and of a message under way at its end the rest.
  std::size_t first = 0, count = 0;
  for (std::size_t i = 0; i < whole.steps.size(); ++i) {
    if (whole.steps[i].to < from) first = i + 1;
    if (whole.steps[i].to >= from && whole.steps[i].from <= to) ++count;
  }
  REQUIRE(part.steps.size() >= count);
  CHECK(part.steps.size() <= count + 4);
  for (std::size_t i = 0; i < part.steps.size(); ++i)
    check_step(part.steps[i], whole.steps[first + i].rank, whole.steps[first + i].part,
               whole.steps[first + i].from, whole.steps[first + i].to);
  CHECK_FALSE(is_travel(part.steps.back().part));
}

TEST_CASE("window path: of iterations that fast-forward stops for", "[physics]") {
  Seen seen, whole;
  watch(seen, 8, kHalo, {.iterations = {{150, 152}}});
  REQUIRE(seen.outcome.forwarded.skipped_iterations > 0);
  watch(whole, 8, kHalo, {.iterations = {{150, 152}}}, false);
  check_whole(seen.steps);
  double begin = std::numeric_limits<double>::infinity(), end = 0;
  for (const auto& call : seen.observation.window()->calls()) {
    begin = std::min(begin, call.begin);
    end = std::max(end, call.end);
  }
  CHECK(seen.steps.front().from <= begin + 1e-12);
  CHECK(seen.steps.back().to >= end - 1e-12);
  // The same steps without fast-forward, whose jumps are sums of as many periods.
  const auto spent = [&](const Seen& of) {
    std::map<PathPart, double> sums;
    for (const auto& step : of.steps)
      if (step.from >= begin - 1e-9 && step.to <= end + 1e-9)
        sums[step.part] += step.to - step.from;
    return sums;
  };
  const auto a = spent(seen), b = spent(whole);
  REQUIRE(a.size() == b.size());
  for (const auto& [part, seconds] : a) CHECK(b.at(part) == Approx(seconds).margin(1e-9));
}

// Of the steps of a long run only those are in memory that may be on the path to its end.
TEST_CASE("window path: keeps about as many steps as the path has", "[physics]") {
  Seen seen;
  watch(seen, 8, kHalo, {}, false);
  const auto& window = *seen.observation.window();
  CHECK(seen.steps.size() < window.calls().size());
  CHECK(seen.observation.path()->kept_steps() < seen.steps.size() + 8 * 50);
}

TEST_CASE("window path: nothing is kept where no window is open", "[physics]") {
  Seen seen;
  watch(seen, 8, kHalo, {.from = 1e6, .to = 2e6});
  CHECK(seen.steps.empty());
  CHECK(seen.observation.path()->kept_steps() == 0);
}

// System: rank 1 takes part in a reduction late; what it then takes on the way up the tree is rank 0's.
TEST_CASE("window path: a collective's steps are on the members' ranks", "[physics]") {
  Seen seen;
  watch(seen, 2, "MPI_Allreduce send_bytes=8 | compute {0: 10us; 1: 50us}", {});
  check_whole(seen.steps);
  std::int32_t last = -1;
  for (const auto& step : seen.steps) {
    if (step.part == PathPart::compute) CHECK(step.rank == 1);
    if (step.part == PathPart::receive_overhead) last = step.rank;
  }
  CHECK(seen.steps.back().rank == last);
  CHECK(seen.steps.back().rank == seen.observation.path()->result().rank);
}

}  // namespace reprise::test
