// SPDX-License-Identifier: MIT
// Which loop replays take for the main one: that of most time, or the one whose iterations the program marked.
#include "trace-io/iterations/main_loop.hpp"

#include <catch2/catch.hpp>
#include <functional>

#include "tests/unit/trace-io/folding/recorded_stream.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using namespace reprise::trace_io::testing;
using Mark = ThreadCompressor::Mark;

namespace {

constexpr Nanoseconds kLong{100'000'000}, kShort{1'000};

class Recorded {
 public:
  Recorded() : thread_(settings()) {}

  void call(SiteId site, Nanoseconds compute = kShort) {
    append(thread_, event_at(site), compute, Nanoseconds{100});
  }
  // Calls `body` so many times, marked.
  void iterate(int times, const std::function<void(int)>& body) {
    for (int i = 0; i < times; ++i) {
      thread_.mark(Mark::begin);
      body(i);
      thread_.mark(Mark::end);
    }
  }
  Trace trace(bool with_marks = true) const {
    Trace trace = trace_with_sites(6, Rank{0}, 1);
    trace.threads = {thread_.program()};
    if (with_marks) trace.marked_iterations = {thread_.marked_iterations().value()};
    return trace;
  }

 private:
  static ThreadCompressor::Settings settings() {
    ThreadCompressor::Settings settings;
    settings.iterations.emplace().limit = 64;
    return settings;
  }
  ThreadCompressor thread_;
};

SiteId first_site(const Loop& loop) { return std::get<Leaf>(loop.body.front().content).site; }

bool is_marked(const MainLoops& main) { return main.name.starts_with("the marked loop of "); }

}  // namespace

TEST_CASE("main_loop: marked iterations outweigh the time of another loop", "[trace-io]") {
  Recorded run;
  for (int i = 0; i < 70; ++i) run.call(0, kLong);
  run.iterate(50, [&](int) {
    run.call(1);
    run.call(2);
  });
  for (int i = 0; i < 3; ++i) run.call(3);

  const Trace trace = run.trace();
  const MainLoops by_time = main_loops(run.trace(false)), marked = main_loops(trace);
  REQUIRE(by_time.loops.size() == 1);
  CHECK_FALSE(is_marked(by_time));
  REQUIRE(marked.loops.size() == 1);
  CHECK(is_marked(marked));
  CHECK(marked.are_outermost);
  CHECK(marked.ranks == std::vector{Rank{0}});
  CHECK(marked.others.empty());
  CHECK(first_site(*marked.loops.front()) == 1);
  CHECK("the " + marked.name.substr(11) == loop_text(trace, *marked.loops.front()));
}

TEST_CASE("main_loop: of loops within each other it is the one with as many iterations",
          "[trace-io]") {
  const int marked_level = GENERATE(0, 1);
  Recorded run;
  const auto inner = [&](int step) {
    run.call(1);
    for (int i = 0; i < 7 + step % 3; ++i) run.call(2, kLong);
    run.call(3);
  };
  const auto outer = [&](int) {
    run.call(0);
    if (marked_level == 1) run.iterate(12, inner);
    for (int i = 0; i < 12 && marked_level == 0; ++i) inner(i);
  };
  if (marked_level == 0) run.iterate(6, outer);
  for (int i = 0; i < 6 && marked_level == 1; ++i) outer(i);

  const Trace trace = run.trace();
  const MainLoops marked = main_loops(trace);
  REQUIRE(marked.loops.size() == 1);
  CHECK(is_marked(marked));
  CHECK(marked.are_outermost == (marked_level == 0));
  CHECK(first_site(*marked.loops.front()) == static_cast<SiteId>(marked_level));
}

// Folded as a loop of five steps and the call of the fifth: the steps are the loop within it.
TEST_CASE("main_loop: marked steps with a call in every fifth are those steps", "[trace-io]") {
  Recorded run;
  run.iterate(500, [&](int step) {
    run.call(1);
    run.call(2, kLong);
    if (step >= 300 && step % 5 == 4) run.call(3);
  });
  const Trace trace = run.trace();
  const MainLoops marked = main_loops(trace);
  REQUIRE(marked.loops.size() == 1);
  CHECK(is_marked(marked));
  CHECK_FALSE(marked.are_outermost);
  CHECK(marked.loops.front()->iterations.front().values.sum() == 500);
}

TEST_CASE("main_loop: marks that fit no loop leave the choice to time", "[trace-io]") {
  Recorded run;
  run.iterate(1, [&](int) { run.call(0); });  // outside of all loops
  for (int i = 0; i < 70; ++i) run.call(1, kLong);
  const Trace outside = run.trace();
  CHECK_FALSE(is_marked(main_loops(outside)));
  CHECK(first_site(*main_loops(outside).loops.at(0)) == 1);

  Recorded other;
  other.iterate(1, [&](int) {  // the whole run as one
    for (int i = 0; i < 70; ++i) other.call(1, kLong);
  });
  const Trace whole = other.trace();
  CHECK_FALSE(is_marked(main_loops(whole)));
  CHECK(first_site(*main_loops(whole).loops.at(0)) == 1);
}
