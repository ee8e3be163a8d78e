// SPDX-License-Identifier: MIT
// What the clock makes of sleep between calls, under either clock.
#include <catch2/catch.hpp>
#include <ctime>

#include "recorder/capture/clock.hpp"
#include "tests/unit/recorder/preempted_thread.hpp"

using namespace reprise;
using namespace reprise::recorder;
using reprise::recorder::testing::PreemptedThread;

TEST_CASE("CPU time: sleep between calls is counted, waiting in calls is not") {
  PreemptedThread thread(true);
  const auto slept = [&] { return thread.time.asleep.value; };
  thread.run(100);
  thread.wait(70'000);
  REQUIRE(thread.compute() == 100);
  REQUIRE(slept() == 70'000);
  thread.run(300);
  thread.lose_core(5'000'000);
  thread.compute();
  REQUIRE(slept() == 70'000);
  thread.wait(9'000);  // for a message
  thread.communicate();
  thread.lose_core(3'000);
  thread.compute();
  REQUIRE(slept() == 73'000);  // it may have waited now, or in the call; from here on that is known
  for (int i = 0; i < 3; ++i) {
    thread.wait(9'000);
    thread.communicate();
    thread.wait(60'000);  // for a file of the recorder's
    thread.bookkeeping();
    thread.lose_core(3'000);
    thread.compute();
  }
  REQUIRE(slept() == 73'000);
  thread.wait(50'000);
  thread.lose_core(2'000);  // when it woke up
  thread.compute();
  REQUIRE(slept() == 125'000);
}

TEST_CASE("wall clock: time off the core between calls is counted where the thread slept") {
  PreemptedThread thread(false);
  const auto off_core = [&] { return thread.time.asleep.value; };
  thread.wait(9'000);
  REQUIRE(thread.compute() == 9'000);  // it is in the compute time
  REQUIRE(off_core() == 9'000);
  thread.run(400);
  thread.wait(50'000);
  thread.lose_core(2'000);  // when it woke up
  REQUIRE(thread.compute() == 52'400);
  REQUIRE(off_core() == 61'000);
  thread.run(300);
  thread.lose_core(5'000'000);  // preempted, and did not sleep
  REQUIRE(thread.compute() == 300);
  REQUIRE(off_core() == 61'000);
  thread.wait(9'000);  // for a message
  thread.communicate();
  thread.run(100);
  REQUIRE(thread.compute() == 100);
  REQUIRE(off_core() == 61'000);
}

#if defined(__x86_64__)
TEST_CASE("CPU time without rseq: sleep between calls is counted too") {
  const auto sleep = [] {
    const timespec time{0, 20'000'000};
    nanosleep(&time, nullptr);
  };
  RecordingClock clock;
  clock.begin_calibration();
  clock.choose(true, false);
  ThreadTime thread;
  clock.start(thread);
  for (const Interval interval : {Interval::communicate, Interval::bookkeeping}) {
    sleep();
    clock.now(thread, interval);
    clock.now(thread, Interval::compute);
    REQUIRE(thread.asleep == Nanoseconds{0});
  }
  sleep();
  clock.now(thread, Interval::compute);
  const std::uint64_t cpu = RecordingClock::system_time(CLOCK_THREAD_CPUTIME_ID);
  // None where the processor's counter is not one to trust: then nobody knows.
  REQUIRE((thread.asleep == Nanoseconds{0} || thread.asleep >= Nanoseconds{19'000'000}));
  REQUIRE(clock.cpu_at_latest(thread) <= cpu);
}
#endif
