// SPDX-License-Identifier: MIT
// What the clock makes of preemption, with times that the tests make up.
#include "recorder/capture/clock.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "tests/unit/recorder/preempted_thread.hpp"

using namespace reprise;
using namespace reprise::recorder;
using reprise::recorder::testing::PreemptedThread;

TEST_CASE("CPU time is wall time while a thread keeps its core, and what it was given where not") {
  PreemptedThread thread(true);
  thread.run(700);
  REQUIRE(thread.compute() == 700);
  thread.run(40);
  REQUIRE(thread.communicate() == 40);
  thread.run(300);
  thread.lose_core(5'000'000);
  thread.run(200);
  REQUIRE(thread.compute() == 500);
  thread.run(100);
  thread.wait(9'000);
  REQUIRE(thread.communicate() == 100);
  thread.run(60);
  REQUIRE(thread.compute() == 60);
  REQUIRE(thread.time.preemptions.count == 1);
  REQUIRE(thread.time.preemptions.excess == Nanoseconds{5'000'000});
  REQUIRE(thread.time.preemptions.clamped == 0);
  REQUIRE(thread.time.preemptions.unknown == 0);
}

TEST_CASE("wall time of computing lacks what others took, and no other time") {
  PreemptedThread thread(false);
  thread.run(300);
  thread.lose_core(5'000);
  REQUIRE(thread.compute() == 300);
  thread.run(10);
  thread.wait(8'000);  // a sleep, or a file
  REQUIRE(thread.compute() == 8'010);
  thread.run(10);
  thread.wait(100);
  thread.lose_core(50);
  REQUIRE(thread.compute() == 160);
  thread.run(20);
  thread.lose_core(7'000);  // sched_yield while a message is awaited
  REQUIRE(thread.communicate() == 7'020);
  thread.run(20);
  thread.get_signal();
  REQUIRE(thread.compute() == 20);
  REQUIRE(thread.time.preemptions.count == 1);
  REQUIRE(thread.time.preemptions.excess == Nanoseconds{5'000});
}

TEST_CASE("a thread that waits in short calls is recognised as preempted from the second time on") {
  PreemptedThread thread(false);
  const auto call = [&] {
    thread.run(20);
    thread.wait(3'000);  // for a message
    thread.communicate();
  };
  const auto lose = [&] {
    thread.run(100);
    thread.lose_core(5'000);
    return thread.compute();
  };
  thread.run(20);
  thread.lose_core(70'000);
  thread.communicate();
  CHECK(lose() == 100);  // switches in calls before are of no matter
  call();
  CHECK(lose() == 5'100);  // it may have waited now, or in the call
  for (int i = 0; i < 3; ++i) {
    call();
    CHECK(lose() == 100);
  }
  call();
  thread.run(10);
  thread.wait(8'000);
  CHECK(thread.compute() == 8'010);
  CHECK(thread.time.preemptions.count == 4);
  for (int i = 0; i < 100; ++i) {  // without a wait
    thread.run(20);
    thread.lose_core(7'000);
    thread.communicate();
  }
  CHECK_FALSE(thread.time.waits);
  call();
  CHECK(lose() == 5'100);
  CHECK(thread.time.waits);
  for (int i = 0; i < 40; ++i) {  // it is on its guard for longer now
    thread.run(20);
    thread.lose_core(7'000);
    thread.communicate();
  }
  CHECK(thread.time.waits);
  call();
  CHECK(lose() == 100);
}

TEST_CASE("a preempted interval after a call that waited for long is recognised at once") {
  const auto waits_in_a_call = [](PreemptedThread& thread) {
    thread.run(20);
    thread.wait(60'000);  // for a message
    thread.communicate();
  };
  const auto lose = [](PreemptedThread& thread) {
    thread.run(100);
    thread.lose_core(13'000'000);
    return thread.compute();
  };
  PreemptedThread thread(false);
  waits_in_a_call(thread);
  CHECK(lose(thread) == 100);
  CHECK(thread.time.preemptions.excess == Nanoseconds{13'000'000});
  for (int i = 0; i < 3; ++i) {  // the last one ends beyond 50 us
    thread.run(20);
    thread.wait(18'000);
    thread.communicate();
  }
  CHECK(lose(thread) == 100);
  CHECK(thread.time.preemptions.count == 2);
  waits_in_a_call(thread);
  thread.wait(90'000);  // for a file of the recorder's
  thread.bookkeeping();
  CHECK(lose(thread) == 100);
  waits_in_a_call(thread);
  thread.wait(4'000);
  CHECK(lose(thread) == 13'004'100);  // it has waited now: all of it may have been a wait
}

TEST_CASE("in wall time what short calls were given is asked for once they have taken 50 us") {
  PreemptedThread thread(false);
  const auto calls = [&](int count) {
    for (int i = 0; i < count; ++i) {
      thread.run(20);
      thread.lose_core(7'000);  // sched_yield
      REQUIRE(thread.communicate() == 7'020);
      thread.run(10);
      REQUIRE(thread.compute() == 10);
    }
  };
  const auto lose = [&] {
    thread.run(100);
    thread.lose_core(5'000'000);
    return thread.compute();
  };
  calls(3);
  CHECK(lose() == 100 + 3 * 20);  // the calls' own time is not known from the interval's
  CHECK(thread.time.preemptions.excess == Nanoseconds{5'000'000 - 3 * 20});
  calls(8);  // 56 us: after the last one it is known
  CHECK(lose() == 100);
  calls(3);
  thread.run(100);
  thread.get_signal();
  CHECK(thread.compute() == 100);
  CHECK(thread.time.preemptions.count == 2);
}

TEST_CASE("CPU times add up to the system's, whatever happens") {
  PreemptedThread thread(true);
  std::mt19937 draw(1);
  const std::uint64_t begin = thread.clock.now(thread.time, Interval::bookkeeping);
  std::uint64_t given = 0;
  std::int64_t sum = 0;
  std::uint64_t preempted = 0;
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t part = draw() % 100'000;
    const std::uint64_t what = draw() % 16, ends = draw() % 3;
    thread.run(part);
    given += part;
    if (what == 0) thread.lose_core(draw() % 4'000'000);
    if (what == 1) thread.wait(draw() % 4'000'000);
    if (what == 2) thread.get_signal();
    if (what == 0 && ends == 0) ++preempted;
    const std::int64_t interval = ends == 0   ? thread.compute()
                                  : ends == 1 ? thread.communicate()
                                              : thread.bookkeeping();
    REQUIRE(interval == static_cast<std::int64_t>(part));
    sum += interval;
  }
  REQUIRE(sum == static_cast<std::int64_t>(given));
  REQUIRE(thread.clock.now(thread.time, Interval::bookkeeping) - begin == given);
  REQUIRE(thread.time.preemptions.count == preempted);
}

TEST_CASE(
    "what the system does not call the thread's shortens the next disturbed interval, not below "
    "0") {
  PreemptedThread thread(true);
  thread.lose_unseen(80);
  thread.run(1000);
  REQUIRE(thread.compute() == 1080);
  thread.run(100);
  thread.get_signal();
  REQUIRE(thread.compute() == 20);
  REQUIRE(thread.time.preemptions.clamped == 0);
  thread.lose_unseen(500);
  REQUIRE(thread.compute() == 500);
  thread.run(100);
  thread.get_signal();
  REQUIRE(thread.compute() == 0);
  REQUIRE(thread.time.preemptions.clamped == 1);
  REQUIRE(thread.time.preemptions.clamped_time == Nanoseconds{400});
  thread.run(100);
  thread.get_signal();
  REQUIRE(thread.compute() == 100);  // the debt is forgotten
}

TEST_CASE(
    "beside a program that uses rseq itself wall time stays whole and CPU time is asked for") {
  constexpr std::uint64_t kItsOwn = 4096;
  for (const bool cpu_time : {false, true}) {
    PreemptedThread thread(cpu_time);
    thread.run(100);
    REQUIRE(thread.compute() == 100);
    thread.area.rseq_cs = kItsOwn;
    thread.run(100);
    thread.clock.advance(900, {0, 0, 1});
    REQUIRE(thread.compute() == (cpu_time ? 100 : 1000));
    REQUIRE(thread.area.rseq_cs == kItsOwn);
    REQUIRE(thread.time.preemptions.unknown == 1);
    thread.run(30);
    thread.clock.advance(50'000, {0, 0, 1});
    REQUIRE(thread.communicate() == (cpu_time ? 30 : 50'030));
    REQUIRE(thread.time.preemptions.unknown == 1);
    // The kernel takes its descriptor away. In wall time it is not known what has happened since the switches were last counted.
    thread.run(30);
    thread.lose_core(70);
    REQUIRE(thread.compute() == (cpu_time ? 30 : 100));
    REQUIRE(thread.time.preemptions.count == 0);
    thread.run(30);
    thread.lose_core(70);
    REQUIRE(thread.compute() == 30);
    REQUIRE(thread.time.preemptions.count == 1);
    // The program sets the pointer to 0, and nothing has happened.
    thread.run(30);
    thread.area.rseq_cs = 0;
    REQUIRE(thread.compute() == 30);
    REQUIRE(thread.time.preemptions.count == 1);
    // It takes rseq away.
    thread.area.cpu_id = -1;
    thread.run(30);
    thread.clock.advance(70, {0, 0, 1});
    REQUIRE(thread.compute() == (cpu_time ? 30 : 100));
    REQUIRE(thread.time.preemptions.unknown == 2);
  }
}

TEST_CASE("soon after a reading whose thread is not known the system is not asked again") {
  PreemptedThread thread(true);
  thread.area.cpu_id = -1;
  thread.run(100);
  REQUIRE(thread.compute() == 100);
  thread.lose_unseen(300);
  REQUIRE(thread.bookkeeping() == 300);
  thread.lose_unseen(20'000);  // long: it may have lost its core
  REQUIRE(thread.bookkeeping() == 0);
}

TEST_CASE("the clock of this machine: computing is neither lost nor made up") {
  for (const bool cpu_time : {false, true}) {
    for (const bool see : {false, true}) {
      RecordingClock clock;
      clock.begin_calibration();
      clock.choose(cpu_time, see);
      REQUIRE(clock.reading_takes().value > 0);
      ThreadTime time;
      const std::uint64_t cpu = RecordingClock::system_time(CLOCK_THREAD_CPUTIME_ID);
      const std::uint64_t first = clock.start(time);
      std::uint64_t latest = first, spent = 0;
      Nanoseconds sum{};
      do {
        const std::uint64_t next = clock.now(time, Interval::compute);
        REQUIRE(next >= latest);
        sum += clock.between(latest, next);
        latest = next;
        spent = RecordingClock::system_time(CLOCK_THREAD_CPUTIME_ID) - cpu;
      } while (spent < 20'000'000);
      time.detector.disarm();
      // The clock's own questions are in neither.
      REQUIRE(sum.value >= 18'000'000);
      if (cpu_time) REQUIRE(sum.value <= 22'000'000 + time.preemptions.clamped_time.value);
    }
  }
}
