// SPDX-License-Identifier: MIT
// Which loop of a run has its iterations recorded, and that no iteration and no call is missed.
#include <catch2/catch.hpp>

#include "tests/unit/trace-io/folding/recorded_stream.hpp"
#include "tests/unit/trace-io/folding/structured_program.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/iterations/ranks_iterations.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using namespace reprise::trace_io::testing;
using Mark = ThreadCompressor::Mark;

namespace {

ThreadCompressor compressor(std::uint32_t limit = 1024) {
  ThreadCompressor::Settings settings;
  settings.iterations.emplace().limit = limit;
  return ThreadCompressor(settings);
}

// The n-th call computes n µs before and takes n ns: whatever is attributed to a wrong iteration shows.
class Run {
 public:
  explicit Run(ThreadCompressor& to) : to_(to) {}
  void call(SiteId site) {
    ++calls;
    append(to_, event_at(site), Nanoseconds{1000 * calls}, Nanoseconds{calls});
  }
  void call(std::initializer_list<SiteId> sites) {
    for (const SiteId site : sites) call(site);
  }
  std::int64_t calls = 0;

 private:
  ThreadCompressor& to_;
};

Trace trace_of(const ThreadCompressor& from, std::uint32_t sites) {
  Trace trace = trace_with_sites(sites, Rank{0}, 1);
  trace.threads = {from.program()};
  if (auto marked = from.marked_iterations()) trace.marked_iterations = {*marked};
  const auto findings = check_structure(trace);
  for (const auto& finding : findings) UNSCOPED_INFO(finding.where + ": " + finding.problem);
  REQUIRE(findings.empty());
  return trace;
}

RankIterations the_iterations(const ThreadCompressor& from, std::uint32_t sites) {
  const Trace trace = trace_of(from, sites);
  std::vector<RankIterations> found = trace.marked_iterations;
  for_each_clustered_loop(trace.threads[0], [&](const Loop& loop) {
    found.insert(found.end(), loop.clusters.begin(), loop.clusters.end());
  });
  REQUIRE(found.size() == 1);
  return found[0];
}

// By iteration.
std::vector<std::uint64_t> values(const RankIterations& of, IterationMetric metric) {
  std::vector<std::uint64_t> values;
  for (const std::int64_t label : of.sequence.unrolled()) {
    const auto& cluster = of.clusters[static_cast<std::size_t>(label)];
    std::uint64_t sum = 0;
    for (const auto& one : cluster.sums) sum += one.metrics[metric];
    values.push_back(sum / cluster.size);
  }
  return values;
}

}  // namespace

TEST_CASE("loop_iterations: every iteration has its own calls and times, the first ones as well",
          "[trace-io]") {
  ThreadCompressor recorded = compressor();
  Run run(recorded);
  run.call({10, 11});
  std::vector<std::uint64_t> calls, communicated, computed;
  for (int step = 0; step < 50; ++step) {
    const std::int64_t before = run.calls;
    run.call({0, 1, 1, 2});
    if (step % 7 == step % 4) run.call(3);
    calls.push_back(static_cast<std::uint64_t>(run.calls - before));
    std::uint64_t sum = 0;
    for (std::int64_t n = before + 1; n <= run.calls; ++n) sum += static_cast<std::uint64_t>(n);
    communicated.push_back(sum);
    computed.push_back(1000 * sum);
  }
  run.call(12);
  const RankIterations found = the_iterations(recorded, 13);
  CHECK(values(found, IterationMetric::calls) == calls);
  CHECK(values(found, IterationMetric::communicate) == communicated);
  CHECK(values(found, IterationMetric::compute) == computed);
}

TEST_CASE("loop_iterations: a time step is an iteration, the solver within it is not",
          "[trace-io]") {
  ThreadCompressor recorded = compressor();
  Run run(recorded);
  for (int step = 0; step < 80; ++step) {
    run.call(0);
    for (int i = 0; i < 12 + step % 4; ++i) run.call({1, 2});
    run.call(3);
  }
  const RankIterations found = the_iterations(recorded, 4);
  REQUIRE(found.sequence.size() == 80);
  CHECK(values(found, IterationMetric::calls)[7] == 2 + 2 * 15);
}

TEST_CASE("loop_iterations: where all is done twice, the steps within count", "[trace-io]") {
  ThreadCompressor recorded = compressor();
  Run run(recorded);
  for (int repetition = 0; repetition < 2; ++repetition) {
    run.call(0);
    for (int step = 0; step < 40; ++step) run.call({1, 2, 3});
    run.call(4);
  }
  CHECK(the_iterations(recorded, 5).sequence.size() == 80);
}

TEST_CASE("loop_iterations: steps between outputs are iterations where outputs are few",
          "[trace-io]") {
  ThreadCompressor recorded = compressor();
  for (int output = 0; output < 12; ++output) {
    for (int step = 0; step < 10; ++step) append(recorded, event_at(0), Nanoseconds{10'000});
    append(recorded, event_at(1), Nanoseconds{1'000});
  }
  CHECK(the_iterations(recorded, 2).sequence.size() == 120);
}

TEST_CASE("loop_iterations: of several loops the one that took most time has iterations",
          "[trace-io]") {
  ThreadCompressor recorded = compressor();
  for (int i = 0; i < 100; ++i) append(recorded, event_at(0), Nanoseconds{10});
  for (int i = 0; i < 10; ++i) append(recorded, event_at(1), Nanoseconds{10'000});
  for (int i = 0; i < 100; ++i) append(recorded, event_at(2), Nanoseconds{10});
  const RankIterations found = the_iterations(recorded, 3);
  CHECK(found.sequence.size() == 10);
  CHECK(found.clusters[0].sums[0].site == 1);
}

TEST_CASE("loop_iterations: a loop that is left in its middle has an iteration more",
          "[trace-io]") {
  ThreadCompressor recorded = compressor();
  Run run(recorded);
  for (int step = 0; step < 30; ++step) run.call({0, 1, 2});
  run.call({0, 1, 5});
  CHECK(the_iterations(recorded, 6).sequence.size() == 31);
}

TEST_CASE("loop_iterations: clusters fit their loops in random programs", "[trace-io]") {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const StructuredRun run = run_of_random_program(seed, 3000);
    ThreadCompressor plain({}), recorded = compressor(16);
    std::int64_t time = 0;
    for (const Event& event : run.stream) {
      ++time;
      append(plain, event, Nanoseconds{time}, Nanoseconds{time % 100});
      append(recorded, event, Nanoseconds{time}, Nanoseconds{time % 100});
    }
    INFO("seed " << seed);
    Trace trace = trace_with_sites(run.sites, Rank{0}, 1), without = trace;
    trace.threads = {recorded.program()};
    without.threads = {plain.program()};
    const auto problems = [](const Trace& of) {
      std::vector<std::string> all;
      for (const auto& finding : check_structure(of)) all.push_back(finding.problem);
      return all;
    };
    REQUIRE(problems(trace) == std::vector<std::string>{});
    REQUIRE(problems(without) == std::vector<std::string>{});
    for_each_clustered_loop(trace.threads[0], [&](const Loop& loop) {
      ++found;
      REQUIRE(loop.clusters.size() == 1);
    });
    // Nothing else changes.
    CHECK(shape(trace.threads[0]) == shape(without.threads[0]));
    CHECK(decoded(trace, Rank{0}) == run.stream);
  }
  CHECK(found > 200);
}

TEST_CASE("loop_iterations: marks say where iterations are", "[trace-io]") {
  ThreadCompressor recorded = compressor();
  Run run(recorded);
  run.call({0, 1});
  for (int step = 0; step < 30; ++step) {
    run.call(2);  // between iterations
    recorded.mark(Mark::begin);
    for (int i = 0; i <= step % 3; ++i) run.call({3, 4});
    recorded.mark(Mark::end);
  }
  run.call(5);
  const RankIterations found = the_iterations(recorded, 6);
  REQUIRE(found.sequence.size() == 30);
  CHECK(values(found, IterationMetric::calls)[4] == 4);
  CHECK(values(found, IterationMetric::calls)[5] == 6);
  for (const auto& cluster : found.clusters)
    for (const auto& one : cluster.sums) CHECK((one.site == 3 || one.site == 4));
  CHECK(recorded.iterations_problem().empty());
}

TEST_CASE("loop_iterations: loops within marked iterations record none of their own",
          "[trace-io]") {
  const auto bytes_with = [](bool with_marks) {
    ThreadCompressor recorded = compressor();
    Run run(recorded);
    for (int step = 0; step < 3; ++step) {
      if (with_marks) recorded.mark(Mark::begin);
      run.call(static_cast<SiteId>(step));
      for (int i = 0; i < 2000; ++i) run.call({3, 4});
      if (with_marks) recorded.mark(Mark::end);
    }
    return recorded.memory_bytes();
  };
  // 2000 iterations of the second and of the third loop, and their clusters.
  CHECK(bytes_with(true) + std::size_t{2} * 2000 * sizeof(std::uint32_t) < bytes_with(false));
}

TEST_CASE("loop_iterations: marks that nest or do not match leave nothing but a notice",
          "[trace-io]") {
  const auto marked = [](std::initializer_list<Mark> marks) {
    ThreadCompressor recorded = compressor();
    Run run(recorded);
    for (int step = 0; step < 20; ++step)
      for (const Mark mark : marks) {
        recorded.mark(mark);
        run.call({0, 1});
      }
    return recorded;
  };
  constexpr const char* kProblem = "iterations: MPI_Pcontrol(1) and MPI_Pcontrol(-1) do not match";
  for (const auto& marks :
       {std::initializer_list<Mark>{Mark::begin, Mark::begin, Mark::end, Mark::end},
        std::initializer_list<Mark>{Mark::end}}) {
    const ThreadCompressor recorded = marked(marks);
    CHECK(recorded.iterations_problem() == kProblem);
    CHECK_FALSE(has_iterations(trace_of(recorded, 2)));
  }
  // To resume recording is no mark.
  const ThreadCompressor resumed = marked({Mark::begin});
  CHECK(resumed.iterations_problem().empty());
  CHECK(the_iterations(resumed, 2).sequence.size() == 20);
}

TEST_CASE("loop_iterations: what is given up for want of memory is named", "[trace-io]") {
  ThreadCompressor recorded = compressor();
  Run run(recorded);
  for (int step = 0; step < 20; ++step) run.call({0, 1});
  recorded.coarsen(1);
  for (int step = 0; step < 20; ++step) run.call({0, 1});
  CHECK(recorded.iterations_problem() == "iterations given up at REPRISE_MEMORY");
  CHECK_FALSE(has_iterations(trace_of(recorded, 2)));
}

TEST_CASE("loop_iterations: a program that never repeats anything has none", "[trace-io]") {
  ThreadCompressor recorded = compressor();
  Run run(recorded);
  run.call({0, 1, 2, 3});
  CHECK_FALSE(has_iterations(trace_of(recorded, 4)));
  CHECK(recorded.iterations_problem().empty());
}

// System: 20 steps of 10 exchanges, 1 µs each, and a reduction before which the two ranks compute 3 µs and ½ µs: alone, one would
// have its steps told (the exchanges are 77 % of the time) and the other its exchanges (95 %).
TEST_CASE("loop_iterations: ranks near the border choose alike, by the times of all",
          "[trace-io]") {
  const auto recorded_with = [](Nanoseconds before_reduction) {
    ThreadCompressor recorded = compressor();
    for (int step = 0; step < 20; ++step) {
      for (int i = 0; i < 10; ++i)
        append(recorded, event_at(0), Nanoseconds{900}, Nanoseconds{100});
      append(recorded, event_at(1), before_reduction, Nanoseconds{10});
    }
    return recorded;
  };
  ThreadCompressor a = recorded_with(Nanoseconds{3000}), b = recorded_with(Nanoseconds{500});
  CHECK(the_iterations(a, 2).sequence.size() == 20);
  CHECK(the_iterations(b, 2).sequence.size() == 200);
  IterationLevels few = a.iteration_levels(), many = b.iteration_levels();
  CHECK(few[0].within == many[0].within);
  CHECK(few[1].around == 0);
  few[0].around += many[0].around;
  few[0].within += many[0].within;
  for (ThreadCompressor* one : {&a, &b}) {
    one->choose_iterations_by(few);
    CHECK(the_iterations(*one, 2).sequence.size() == 20);
    one->choose_iterations_by(many);
    CHECK(the_iterations(*one, 2).sequence.size() == 200);
  }
}
