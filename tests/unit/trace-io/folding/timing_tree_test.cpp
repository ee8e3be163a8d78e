// SPDX-License-Identifier: MIT
// A search in time finds what a walk along the trace finds.
#include "trace-io/timing_tree/timing_tree.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "tests/unit/trace-io/folding/structured_program.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/text/text.hpp"
#include "trace-io/timing_tree/prefix_sums.hpp"
#include "trace-io/walk/cursor.hpp"

namespace reprise::trace_io::testing {
namespace {

Seconds mean_of(const DeltaClass& delta, Rank rank) {
  return Seconds{delta.durations.mean_ns() * 1e-9 * relative_mean(delta, rank)};
}

TimingTree::Ticks ticks_of(const DeltaClass* delta, Rank rank) {
  return delta == nullptr ? 0 : TimingTree::ticks(mean_of(*delta, rank));
}

TimingTree tree_of(const Trace& trace, Rank rank) {
  return {trace, 0, rank, [rank](const DeltaClass& delta) { return mean_of(delta, rank); }};
}

// Every call at its time.
std::vector<TimingTree::Place> walk(const Trace& trace, Rank rank) {
  const Programs programs(trace);
  std::vector<TimingTree::Place> calls;
  TimingTree::Ticks now = 0;
  for (Cursor cursor(programs, rank, 0); cursor.advance();) {
    TimingTree::Place call{cursor.site(), {}, now, 0, 0};
    now = call.enter = now + ticks_of(cursor.compute(), rank);
    now = call.end = now + ticks_of(cursor.communicate(), rank);
    for (std::uint32_t depth = 0; depth < cursor.depth(); ++depth) {
      const auto place = cursor.loop(depth);
      call.loops.push_back({place.node, place.passed, place.passed + place.left});
    }
    calls.push_back(std::move(call));
  }
  return calls;
}

// Returns how many calls were looked for.
std::size_t check_against_walk(const Trace& trace, Rank rank) {
  const auto calls = walk(trace, rank);
  const TimingTree tree = tree_of(trace, rank);
  std::size_t found = 0;
  for (const auto& call : calls) {
    if (call.end == call.begin) continue;
    for (const auto time : {call.begin, call.begin + (call.end - call.begin) / 2, call.end - 1}) {
      const auto place = tree.at(time);
      REQUIRE(place);
      REQUIRE(place->site == call.site);
      REQUIRE(place->loops == call.loops);
      REQUIRE(place->begin == call.begin);
      REQUIRE(place->enter == call.enter);
      REQUIRE(place->end == call.end);
    }
    ++found;
  }
  REQUIRE(tree.total() == (calls.empty() ? 0 : calls.back().end));
  REQUIRE_FALSE(tree.at(tree.total()));
  REQUIRE_FALSE(tree.at(-1));
  return found;
}

Trace recorded(const StructuredRun& run, Timing timing, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  ThreadCompressor compressor({.timing = timing, .bins = timing == Timing::stat ? 0U : 5U});
  for (const Event& event : run.stream)
    append(compressor, event,
           Nanoseconds{static_cast<std::int64_t>(random() % 4 * (random() % 90))},
           Nanoseconds{static_cast<std::int64_t>(random() % 3 * (random() % 70))});
  Trace trace = trace_with_sites(run.sites, Rank{0}, 1);
  trace.header.timing = timing;
  trace.threads.push_back(compressor.program());
  return trace;
}

std::pair<SiteId, std::uint64_t> at(const TimingTree& tree, double seconds) {
  const auto place = tree.at(TimingTree::ticks(Seconds{seconds}));
  REQUIRE(place);
  REQUIRE(place->loops.size() == 1);
  return {place->site, place->loops.front().number};
}

}  // namespace

TEST_CASE("timing_tree: a search equals a walk on random programs", "[trace-io]") {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    const auto run = run_of_random_program(seed, 400);
    const auto timing = static_cast<Timing>(seed % 3);
    found += check_against_walk(recorded(run, timing, seed), Rank{0});
  }
  CHECK(found > 20'000);
}

// The example of the paper, with the interval that its formula has: calls of 1 and 1 s, then ten times calls of 1, 2 and 2 s.
TEST_CASE("timing_tree: the published example", "[trace-io]") {
  const Trace trace = assemble(
      "reprise-text 1\nranks 1\nthread 0 {\n"
      "  MPI_Barrier | communicate 1s\n  MPI_Barrier | communicate 1s\n"
      "  loop 10 {\n    MPI_Barrier | communicate 1s\n    MPI_Barrier | communicate 2s\n"
      "    MPI_Barrier | communicate 2s\n  }\n}\n",
      "here");
  const auto tree = tree_of(trace, Rank{0});
  CHECK(TimingTree::seconds(tree.total()).value == 52);
  CHECK(at(tree, 16) == std::pair<SiteId, std::uint64_t>{4, 2});  // the third iteration's last call
  CHECK(at(tree, 14) == std::pair<SiteId, std::uint64_t>{3, 2});
  CHECK(at(tree, 2) == std::pair<SiteId, std::uint64_t>{2, 0});
  CHECK(at(tree, 51.75) == std::pair<SiteId, std::uint64_t>{4, 9});
  const auto before = tree.at(TimingTree::ticks(Seconds{1.5}));
  REQUIRE(before);
  CHECK(before->site == 1);
  CHECK(before->loops.empty());
}

TEST_CASE("timing_tree: ranks, paths, zero passes and broken ones", "[trace-io]") {
  const Trace trace = assemble(R"(reprise-text 1
ranks 3
timing path
bins 5
procedure 0 "MPI_Barrier"
module 0 "x"
path 0 0+0x0
path 1 0+0x1
path 2 0+0x2
path 3 0+0x3
site 0 procedure 0 path 0
site 1 procedure 0 path 1
site 2 procedure 0 path 2
site 3 procedure 0 path 3
thread 0 {
  @0 MPI_Barrier | communicate 1us
  loop 4 {
    loop {0: (2, 0, 3, 1); 1: 0; 2: 2} exit {0: (0, 1, 2, 0); 1: (0, 0, 1, 0); 2: 0} {
      @1 MPI_Barrier | compute after @0 5us | compute after @3 7us | compute after @2 2us
        | communicate {0: 1us; 1-2: 2us}
      ranks 0-1: @2 MPI_Barrier | compute after @1 4us | communicate 1us
    }
    @3 MPI_Barrier
      | compute after @0 10us | compute after @1 8us | compute after @2 9us | compute after @3 11us
      | communicate 1us
  }
}
)",
                               "here");
  for (const int rank : {0, 1, 2}) {
    INFO("rank " << rank);
    CHECK(check_against_walk(trace, Rank{rank}) > 4);
  }
  // 1 us of the first call; (5 + 1) + (4 + 1) us of the first pass, (2 + 1) + (4 + 1) us of the second
  const auto place = tree_of(trace, Rank{0}).at(TimingTree::ticks(Seconds{16e-6}));
  REQUIRE(place);
  CHECK(place->site == 2);
  REQUIRE(place->loops.size() == 2);
  CHECK(place->loops[0].number == 0);
  CHECK(place->loops[1].number == 1);
  CHECK(place->loops[1].complete == 2);
}

TEST_CASE("timing_tree: a search equals a walk on recorded programs", "[trace-io]") {
  for (const char* name : {"collectives", "communicators", "heat2d", "nonblocking", "persistent"}) {
    const Trace trace =
        load(std::string(REPRISE_GOLDEN_DIRECTORY "/recorded/") + name + ".reprise");
    for (const Rank rank : trace.header.recorded.ranks()) {
      INFO(name << ", rank " << rank.value);
      CHECK(check_against_walk(trace, rank) > 10);
    }
  }
}

TEST_CASE("timing_tree: a duration beyond all clocks is refused", "[trace-io]") {
  const Trace trace = assemble(
      "reprise-text 1\nranks 1\nthread 0 {\n  MPI_Barrier | compute 5000000s\n}\n", "here");
  CHECK_THROWS_WITH(tree_of(trace, Rank{0}),
                    "the trace of : has a duration of 5000000.000000 s, longer than 4000000 s\n  "
                    "`reprise trace check` lists its further problems");
}

TEST_CASE("prefix_sums: sums and values of any folded sequence", "[trace-io]") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    ValueSequence values;
    for (std::uint64_t block = random() % 6; block < 6; ++block) {
      const auto times = random() % 9, length = random() % 5 + 1, shift = random() % 2;
      std::vector<std::int64_t> body(length);
      for (auto& value : body) value = static_cast<std::int64_t>(random() % 7);
      for (std::uint64_t i = 0; i < times; ++i)
        for (const auto value : body) values.append(value + static_cast<std::int64_t>(i * shift));
    }
    const PrefixSums sums(values);
    REQUIRE(sums.size() == values.size());
    WideSigned sum = 0;
    std::uint64_t k = 0;
    const auto all = values.unrolled();
    for (const auto value : all) {
      REQUIRE(sums.sum(k) == sum);
      REQUIRE(sums.at(k) == value);
      sum += value;
      ++k;
    }
    REQUIRE(sums.sum(k) == sum);
    for (std::uint64_t period = 1; period <= all.size(); ++period)
      if (sums.repeats(period))
        for (std::size_t i = period; i < all.size(); ++i) REQUIRE(all[i] == all[i - period]);
  }
}

}  // namespace reprise::trace_io::testing
