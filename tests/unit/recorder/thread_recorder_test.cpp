// SPDX-License-Identifier: MIT
// Deltas of one thread, with readings that the tests make up.
#include "recorder/capture/thread_recorder.hpp"

#include <catch2/catch.hpp>

#include "trace-io/model/trace.hpp"

using namespace reprise;
using namespace reprise::recorder;

namespace {

constexpr std::uint32_t kWait = 1, kTest = 2;

class Thread {
 public:
  explicit Thread(std::uint64_t memory = MemoryBudget::kDefault)
      : recorder(sites, {16, false}, {}, true, memory, losses) {
    recorder.start_at(clock.start(recorder.time));
  }
  // `frame` stands for the line of the program that calls.
  void call(std::uint32_t key, std::uint64_t compute, std::uint64_t inside) {
    clock.advance(compute);
    const std::uint64_t begin = clock.now(recorder.time, Interval::compute);
    clock.advance(inside);
    recorder.description().clear();
    recorder.append(key, key == kTest ? "MPI_Test" : "MPI_Wait", frame(key), clock,
                    {begin, clock.now(recorder.time, Interval::communicate)},
                    {.is_test = key == kTest});
  }
  void failed_test(std::uint64_t gap, std::uint64_t inside) {
    clock.advance(gap);
    const std::uint64_t begin = clock.now(recorder.time, Interval::compute);
    clock.advance(inside);
    recorder.failed_poll(clock, {begin, clock.now(recorder.time, Interval::communicate)},
                         ThreadRecorder::place_of(kTest, frame(kTest)));
  }
  void enter(std::uint32_t key, std::uint64_t compute) {
    clock.advance(compute);
    recorder.entered = {key, frame(key)};
    recorder.inside = this;
    clock.now(recorder.time, Interval::compute);
  }
  std::uint64_t now() { return clock.now(recorder.time, Interval::bookkeeping); }
  const trace_io::Leaf& leaf(std::size_t node) {
    program_ = recorder.program(trace_io::ThreadCompressor::Detail::iterations);
    return std::get<trace_io::Leaf>(program_.at(node).content);
  }
  std::int64_t compute(std::size_t node) {
    return leaf(node).compute.at(0).classes.at(0).durations.sum().value;
  }
  std::int64_t communicate(std::size_t node) {
    return leaf(node).communicate.at(0).durations.sum().value;
  }

  RecordingClock clock = RecordingClock::stopped();
  SiteTable sites;
  Losses losses;
  ThreadRecorder recorder;

 private:
  static Frame frame(std::uint32_t key) {
    static std::uintptr_t words[3][2];
    words[key][1] = reinterpret_cast<std::uintptr_t>(&words[key]);
    return words[key];
  }
  std::vector<trace_io::Node> program_;
};

}  // namespace

TEST_CASE("a compute delta runs from the end of a call to the begin of the next") {
  Thread thread;
  thread.call(kWait, 300, 20);
  thread.call(kTest, 1000, 7);
  REQUIRE(thread.compute(0) == 300);
  REQUIRE(thread.communicate(0) == 20);
  REQUIRE(thread.compute(1) == 1000);
  REQUIRE(thread.communicate(1) == 7);
}

TEST_CASE("failed polls and the short gaps between them belong to the one that succeeds") {
  Thread thread;
  thread.failed_test(300, 10);
  thread.failed_test(40, 10);
  thread.call(kTest, 50, 10);
  REQUIRE(thread.compute(0) == 300);
  REQUIRE(thread.communicate(0) == 10 + 40 + 10 + 50 + 10);
}

TEST_CASE("long gaps between polls are work") {
  const auto gap = static_cast<std::uint64_t>(ThreadRecorder::kShortGap.value);
  Thread thread;
  thread.failed_test(300, 10);
  thread.failed_test(gap + 1, 10);
  thread.call(kTest, gap, 10);
  REQUIRE(thread.compute(0) == 300 + static_cast<std::int64_t>(gap) + 1);
  REQUIRE(thread.communicate(0) == 20 + static_cast<std::int64_t>(gap) + 10);
  Thread last;
  last.failed_test(0, 5);
  last.call(kTest, gap + 1, 5);
  REQUIRE(last.compute(0) == static_cast<std::int64_t>(gap) + 1);
  REQUIRE(last.communicate(0) == 10);
}

TEST_CASE("polls that another call ends are compute time of that call") {
  Thread thread;
  thread.failed_test(300, 10);
  thread.failed_test(40, 10);
  thread.call(kWait, 50, 10);
  REQUIRE(thread.compute(0) == 300 + 10 + 40 + 10 + 50);
  REQUIRE(thread.communicate(0) == 10);
}

TEST_CASE("polls in passing in which the library moved data are not work") {
  const auto busy = static_cast<std::uint64_t>(ThreadRecorder::kBusyPoll.value);
  Thread thread;
  thread.failed_test(300, 10);
  thread.failed_test(30, 10);
  thread.failed_test(30, 20 * busy);
  thread.failed_test(30, busy);  // not longer than a poll may take
  thread.call(kWait, 50, 10);
  REQUIRE(thread.compute(0) == 300 + 10 + 30 + 10 + 30 + 30 + static_cast<std::int64_t>(busy) + 50);
  REQUIRE(thread.communicate(0) == static_cast<std::int64_t>(20 * busy) + 10);
  Thread slow;  // as all its polls are
  for (int i = 0; i < 3; ++i) slow.failed_test(0, 2 * busy);
  slow.call(kWait, 0, 1);
  REQUIRE(slow.compute(0) == static_cast<std::int64_t>(6 * busy));
  REQUIRE(slow.communicate(0) == 1);
}

TEST_CASE(
    "polls in passing are work without the recorder's readings, where compute times are "
    "compensated") {
  trace_io::Compensation curves;
  for (auto& curve : curves.curves) curve = {{Nanoseconds{1}, Nanoseconds{0}, Nanoseconds{1}}};
  const OverheadTable table(curves);
  for (const bool compensated : {false, true}) {
    Thread thread;
    thread.clock = RecordingClock::stopped(false, Nanoseconds{4});
    thread.recorder.start_at(thread.clock.start(thread.recorder.time));
    if (compensated) thread.recorder.compensate_by(&table);
    thread.failed_test(300, 10);
    thread.failed_test(30, 3);
    thread.call(kWait, 50, 10);
    REQUIRE(thread.compute(0) == 300 + 10 + 30 + 3 + 50 - (compensated ? 8 : 0));
    REQUIRE(thread.recorder.taken_off().time == Nanoseconds{compensated ? 8 : 0});
    thread.failed_test(0, 2);  // shorter than the readings
    thread.call(kTest, 0, 1);
    REQUIRE(thread.compute(1) == (compensated ? 0 : 2));
  }
}

TEST_CASE("polls between which the program makes other calls are work") {
  constexpr int kSteps = 10;
  Thread thread;
  for (int step = 0; step < kSteps; ++step) {
    thread.failed_test(30, 10);
    thread.call(kWait, 5, 1);  // goes on, and looks again
    thread.failed_test(30, 10);
    thread.call(kTest, 5, 1);
  }
  std::int64_t inside = 0, computed = 0;
  const auto program = thread.recorder.program(trace_io::ThreadCompressor::Detail::iterations);
  trace_io::for_each_leaf(program, [&](const trace_io::Leaf& leaf) {
    for (const auto& path : leaf.compute)
      for (const auto& one : path.classes) computed += one.durations.sum().value;
    for (const auto& one : leaf.communicate) inside += one.durations.sum().value;
  });
  REQUIRE(inside == 2 * kSteps);
  REQUIRE(computed == 2 * kSteps * (30 + 10 + 5));
}

TEST_CASE("polls have waited where they end with success") {
  constexpr AwaitedPolls::Place kHere = 1, kThere = 2, kElsewhere = 3;
  AwaitedPolls polls;
  const auto waits_here = [&] {
    polls.failed(kHere);
    return polls.succeeded(kHere);
  };
  REQUIRE(waits_here());
  polls.called();
  REQUIRE(waits_here());
  // In turns, for two messages.
  polls.failed(kHere);
  polls.failed(kThere);
  REQUIRE(polls.succeeded(kThere));
  polls.called();
  REQUIRE(waits_here());
  // At the first try: nobody has waited for it, and whether for the other will be seen.
  polls.failed(kHere);
  REQUIRE(!polls.succeeded(kElsewhere));
  REQUIRE(waits_here());
  polls.failed(kHere);
  REQUIRE(!polls.succeeded(kElsewhere));
  polls.called();
  for (int i = 0; i < AwaitedPolls::kCycles; ++i) {
    REQUIRE(!waits_here());
    polls.called();
  }
  REQUIRE(!waits_here());
  REQUIRE(waits_here());
}

TEST_CASE("of more places than are kept, polls have waited as well") {
  AwaitedPolls polls;
  for (AwaitedPolls::Place place = 1; place <= 2 * AwaitedPolls::kPlaces; ++place) {
    polls.failed(place);
    REQUIRE(polls.succeeded(place));
    polls.called();
  }
  REQUIRE(!polls.succeeded(2 * AwaitedPolls::kPlaces));
}

TEST_CASE("the recorder's own work is in no delta, between calls and among polls") {
  Thread thread;
  thread.call(kWait, 10, 1);
  const std::uint64_t begin = thread.now();
  thread.clock.advance(5'000'000);
  thread.recorder.leave_out(begin, thread.now());
  thread.failed_test(30, 2);
  const std::uint64_t again = thread.now();
  thread.clock.advance(7'000'000);
  thread.recorder.leave_out(again, thread.now());
  thread.call(kTest, 40, 3);
  REQUIRE(thread.compute(1) == 30);
  REQUIRE(thread.communicate(1) == 2 + 40 + 3);
}

TEST_CASE("skipped time is in no delta") {
  Thread thread;
  thread.call(kWait, 10, 1);
  thread.clock.advance(5000);
  const std::uint64_t begin = thread.now();
  thread.clock.advance(100);
  REQUIRE(thread.recorder.skip(thread.clock, {begin, thread.now()}) == Nanoseconds{5100});
  thread.call(kTest, 20, 1);
  REQUIRE(thread.compute(1) == 20);
}

TEST_CASE("where memory runs out, timing detail goes first and calls are counted afterwards") {
  Thread thread(MemoryBudget::kLeast);
  std::uint64_t appended = 0;
  for (std::uint32_t i = 0; i < 200000 && !thread.recorder.is_truncated(); ++i) {
    thread.recorder.description().clear();
    // Fields of no regularity.
    thread.recorder.description().scalar(static_cast<std::int64_t>(i) * i % 7919 * (i % 13));
    static std::uintptr_t words[2];
    words[1] = reinterpret_cast<std::uintptr_t>(words);
    const std::uint64_t now = thread.now();
    thread.recorder.append(7, "MPI_Barrier", words, thread.clock, {now, now}, {});
    ++appended;
  }
  REQUIRE(thread.recorder.is_truncated());
  const auto rows = thread.losses.rows();
  REQUIRE(rows.size() == 2);
  REQUIRE(rows[0].name == "calls beyond the REPRISE_MEMORY limit");
  REQUIRE(rows[0].severity == trace_io::Severity::error);
  REQUIRE(rows[0].count == appended - thread.recorder.events());
  REQUIRE(rows[1].name == "timing detail dropped at the REPRISE_MEMORY limit");
  REQUIRE(rows[1].severity == trace_io::Severity::partial);
}

TEST_CASE("the recorder's own time counts each call that it has appended") {
  Thread thread;
  for (int call = 0; call < 3; ++call) thread.call(kWait, 100, 10);
  const RecorderTime time = thread.recorder.recorder_time(thread.clock);
  CHECK(time.appends == 3);
  CHECK(time.long_appends == 0);
  CHECK(time.folding == Nanoseconds{});  // the test's clock stands still meanwhile
}

TEST_CASE("memory budget: it is used up by calls that may have taken memory alone") {
  MemoryBudget budget(MemoryBudget::kLeast);
  for (int call = 0; call < 1000; ++call) {
    REQUIRE(budget.covers(0));
    budget.give_back();
  }
  for (int call = 0; call < 64; ++call) REQUIRE(budget.covers(0));
  REQUIRE_FALSE(budget.covers(0));
}

TEST_CASE("compute times are without the recorder's part, also those that polls wait in") {
  trace_io::Compensation curves;
  for (auto& curve : curves.curves) curve = {{Nanoseconds{1}, Nanoseconds{40}, Nanoseconds{1}}};
  const OverheadTable table(curves);
  Thread thread;
  thread.recorder.compensate_by(&table);
  thread.call(0, 300, 20);
  thread.call(kWait, 30, 20);
  thread.failed_test(1000, 5);
  thread.call(kTest, 50, 10);
  CHECK(thread.compute(0) == 260);
  CHECK(thread.compute(1) == 0);
  CHECK(thread.compute(2) == 950);  // and the 10 ns that the one before was too short for
  CHECK(thread.communicate(2) == 5 + 10 + 10);
  CHECK(thread.recorder.taken_off().count == 4);
  CHECK(thread.recorder.taken_off().clamped_count == 1);
  CHECK(thread.recorder.taken_off().time == Nanoseconds{160});
  CHECK(thread.recorder.taken_off().clamped_time == Nanoseconds{0});
}

TEST_CASE("a recording that ends says where its thread is, and since when") {
  using trace_io::LastPlace;
  static constexpr std::string_view kNames[] = {"MPI_Init", "MPI_Wait", "MPI_Test"};
  Thread thread;
  const auto end = [&thread] {
    return thread.recorder.end(thread.clock, kNames, thread.clock.wall_now());
  };
  CHECK(end().place == LastPlace::outside);
  CHECK(end().site == trace_io::kNoSite);
  thread.call(kWait, 300, 20);
  thread.clock.advance(5000);
  CHECK(end().place == LastPlace::outside);
  CHECK(end().site == 0);
  CHECK(end().time.value == 5000);
  thread.enter(kWait, 100);
  thread.clock.advance(7000);
  CHECK(end().place == LastPlace::inside);
  CHECK(end().site == 0);
  CHECK(end().time.value == 7000);
  thread.recorder.inside = nullptr;
  thread.failed_test(10, 1);
  thread.failed_test(10, 1);
  thread.clock.advance(9);
  CHECK(end().place == LastPlace::polling);
  CHECK(end().site == 1);
  CHECK(end().time.value == 1 + 11 + 9);
  thread.enter(kTest, 0);  // the signal comes in a poll
  thread.clock.advance(4);
  CHECK(end().place == LastPlace::polling);
  CHECK(end().site == 1);
  CHECK(end().time.value == 1 + 11 + 9 + 4);
  thread.enter(kWait, 0);
  CHECK(end().place == LastPlace::inside);
  CHECK(end().site == 0);
}
