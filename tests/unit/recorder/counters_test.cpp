// SPDX-License-Identifier: MIT
// Counting without MPI: events of the kernel on this thread, what goes to which way, forks, descriptors that a program closes.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <ctime>
#include <thread>

#include "recorder/capture/counted_events.hpp"
#include "recorder/counters/thread_counters.hpp"

using namespace reprise;
using namespace reprise::recorder;
using trace_io::CounterEvent;

namespace {

constexpr std::array kSoftware{CounterEvent::task_clock, CounterEvent::page_faults};
constexpr std::uint64_t kMillisecond = 1'000'000;  // ns

std::uint64_t time_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(time.tv_nsec);
}

// What a stretch of computing took. The event task_clock lies between: it stops where the kernel gives the core to another thread,
// as either does, and goes on, as the thread's clock does not, where a hypervisor takes it.
struct Took {
  std::uint64_t of_thread = 0, of_wall = 0;  // ns

  Took& operator+=(const Took& other) {
    of_thread += other.of_thread;
    of_wall += other.of_wall;
    return *this;
  }
};

// Computes at least so long, ns of the thread's clock.
Took compute(std::uint64_t nanoseconds) {
  const std::uint64_t wall = time_of(CLOCK_MONOTONIC), begin = time_of(CLOCK_THREAD_CPUTIME_ID);
  std::uint64_t now = begin;
  while (now < begin + nanoseconds) now = time_of(CLOCK_THREAD_CPUTIME_ID);
  return {now - begin, time_of(CLOCK_MONOTONIC) - wall};
}

// Touches this many pages for the first time.
void touch(std::size_t pages) {
  const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  auto* memory = static_cast<volatile char*>(
      mmap(nullptr, pages * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  madvise(const_cast<char*>(memory), pages * size, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < pages; ++i) memory[i * size] = 1;
  munmap(const_cast<char*>(memory), pages * size);
}

std::uint64_t counted(const ThreadCounters& counters, ThreadCounters::Way way, CounterEvent event) {
  return counters.totals().at(way).counts[static_cast<std::size_t>(event)];
}

// Counted on this way is what these stretches took, give or take what lies between a reading of a clock and one of the counters.
void check_task_clock(const ThreadCounters& counters, ThreadCounters::Way way, Took took) {
  constexpr std::uint64_t kNear = 8 * kMillisecond;
  const std::uint64_t clock = counted(counters, way, CounterEvent::task_clock);
  CHECK(clock + kNear >= took.of_thread);
  CHECK(clock <= took.of_wall + kNear);
}

using Share = ThreadCounters::Share;

}  // namespace

TEST_CASE("counting: counts go to the way that they were counted on, and calls count nowhere",
          "[recorder]") {
  ThreadCounters counters(kSoftware, 7);
  REQUIRE(counters.group().counts(CounterEvent::task_clock));
  REQUIRE(counters.group().counts(CounterEvent::page_faults));
  const Took gap = compute(20 * kMillisecond);
  counters.enter();
  compute(30 * kMillisecond);  // in the call
  counters.called(1, Nanoseconds{20'000'000}, Share::everything);
  counters.leave();
  touch(100);
  counters.enter();
  counters.called(2, Nanoseconds{5}, Share::everything);
  counters.leave();

  check_task_clock(counters, {1, 7}, gap);
  const std::uint64_t faults = counted(counters, {2, 1}, CounterEvent::page_faults);
  CHECK(faults >= 100);
  CHECK(faults < 130);
  CHECK(counted(counters, {2, 1}, CounterEvent::task_clock) < 15 * kMillisecond);
  CHECK(counters.totals().size() == 2);
}

TEST_CASE("counting: what failed polls count goes where their time goes", "[recorder]") {
  const auto check = [](bool is_of_polls, Share share, bool gap, bool polls, bool behind) {
    ThreadCounters counters(kSoftware, 0);
    Took belongs, took = compute(20 * kMillisecond);
    if (gap) belongs += took;
    counters.enter();
    took = compute(40 * kMillisecond);
    if (polls) belongs += took;
    counters.poll(is_of_polls);  // and its gap of 20 ms
    took = compute(80 * kMillisecond);
    if (behind) belongs += took;
    counters.enter();
    counters.called(1, {}, share);
    check_task_clock(counters, {1, 0}, belongs);
  };
  check(false, Share::before_polls, true, false, false);
  check(false, Share::without_polls, true, false, true);
  check(false, Share::everything, true, true, true);
  check(true, Share::before_polls, false, false, false);
}

TEST_CASE("counting: what is left out or discarded counts nowhere", "[recorder]") {
  ThreadCounters counters(kSoftware, 0);
  Took counts = compute(20 * kMillisecond);
  counters.enter();
  compute(40 * kMillisecond);
  counters.leave_out();
  counts += compute(10 * kMillisecond);
  counters.enter();
  counters.called(1, {}, Share::everything);
  check_task_clock(counters, {1, 0}, counts);
  counters.leave();
  compute(20 * kMillisecond);
  counters.enter();
  counters.poll(false);
  counters.discard();
  counters.enter();
  counters.called(2, {}, Share::everything);
  CHECK(counted(counters, {2, 1}, CounterEvent::task_clock) < 5 * kMillisecond);
}

TEST_CASE("counting: what readings take is taken off", "[recorder]") {
  // Of batches, since interrupts and whoever disturbs the caches are in the count, on a busy machine in most of them: one that is
  // undisturbed is enough.
  constexpr int kBatches = 1000;
  constexpr std::uint64_t kCalls = 10;
  ThreadCounters counters(kSoftware, 0);
  EventGroup group(kSoftware);
  std::uint64_t reading = ~std::uint64_t{0}, least = reading, before = 0;
  for (int batch = 0; batch < kBatches; ++batch) {
    EventGroup::Values first{}, second{};
    group.read(first);
    group.read(second);
    constexpr auto kClock = static_cast<std::size_t>(CounterEvent::task_clock);
    reading = std::min(reading, second[kClock] - first[kClock]);
    for (std::uint64_t i = 0; i < kCalls; ++i) {
      counters.leave();
      counters.enter();
      counters.called(0, {}, Share::everything);
    }
    const std::uint64_t sum = counted(counters, {0, 0}, CounterEvent::task_clock);
    least = std::min(least, sum - before);
    before = sum;
  }
  CHECK(reading > 0);
  CHECK(least < reading * kCalls / 2);
}

TEST_CASE("counting: each thread has its own", "[recorder]") {
  ThreadCounters mine(kSoftware, 0);
  std::thread([] {
    ThreadCounters other(kSoftware, 0);
    compute(30 * kMillisecond);
    other.enter();
    other.called(1, {}, Share::everything);
    CHECK(counted(other, {1, 0}, CounterEvent::task_clock) >= 29 * kMillisecond);
  }).join();
  mine.enter();
  mine.called(1, {}, Share::everything);
  CHECK(counted(mine, {1, 0}, CounterEvent::task_clock) < 25 * kMillisecond);
}

TEST_CASE("counting: a child reads nothing and comes to no harm", "[recorder]") {
  ThreadCounters counters(kSoftware, 0);
  const pid_t child = fork();
  if (child == 0) {
    compute(20 * kMillisecond);
    counters.enter();
    counters.called(1, {}, Share::everything);
    _exit(counted(counters, {1, 0}, CounterEvent::task_clock) == 0 ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  compute(10 * kMillisecond);
  counters.enter();
  counters.called(1, {}, Share::everything);
  CHECK(counted(counters, {1, 0}, CounterEvent::task_clock) >= 9 * kMillisecond);
}

TEST_CASE("counting: descriptors that the program has taken for itself are not read",
          "[recorder]") {
  std::array<int, 2> pipe_ends{};
  REQUIRE(pipe(pipe_ends.data()) == 0);
  constexpr int kFrom = 512, kTo = 600;
  {
    ThreadCounters counters(kSoftware, 0);
    for (int descriptor = kFrom; descriptor < kTo; ++descriptor)
      if (fcntl(descriptor, F_GETFD) >= 0) dup2(pipe_ends[0], descriptor);
    const std::array<char, 256> text{'t'};
    REQUIRE(write(pipe_ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    compute(5 * kMillisecond);
    counters.enter();
    counters.called(1, {}, Share::everything);
    CHECK(counters.group().times().enabled == 0);
  }
  std::array<char, 512> found{};
  CHECK(read(pipe_ends[0], found.data(), found.size()) == 256);  // nobody has taken any of it
  for (int descriptor = kFrom; descriptor < kTo; ++descriptor) close(descriptor);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

TEST_CASE("counting: what the kernel does not give is named, and the trace has the rest",
          "[recorder]") {
  constexpr std::array kAll{CounterEvent::instructions, CounterEvent::cycles,
                            CounterEvent::task_clock};
  ThreadCounters counters(kAll, 0);
  compute(5 * kMillisecond);
  counters.enter();
  counters.called(3, Nanoseconds{5'000'000}, Share::everything);
  const std::array<const ThreadCounters*, 1> threads{&counters};
  const auto events = counted_events(threads, kAll, trace_io::Timing::path);
  CHECK(counted_events(threads, kAll, trace_io::Timing::stat)->ways.front().predecessor ==
        trace_io::kNoSite);
  REQUIRE(events->events.size() == 3);
  REQUIRE(events->ways.size() == 1);
  const bool has_both = counters.group().counts(CounterEvent::instructions) &&
                        counters.group().counts(CounterEvent::cycles);
  CHECK(absent_events(counters.group(), kAll).empty() == has_both);
  for (std::size_t i = 0; i < events->events.size(); ++i) {
    const bool is_counted = counters.group().counts(events->events[i].event);
    CHECK(events->events[i].threads == (is_counted ? 1 : 0));
    CHECK(events->events[i].absent == (is_counted ? 0 : 1));
    CHECK((events->ways[0].counts[i] == trace_io::Count{}) == !is_counted);
  }
  CHECK(events->ways[0].site == 3);
  CHECK(events->ways[0].predecessor == 0);
  CHECK(events->ways[0].counts[2].time == Nanoseconds{5'000'000});
}

TEST_CASE("counting: a thread that ends gives its files back, and what was counted stays",
          "[recorder]") {
  const auto open_files = [] {
    int count = 0;
    for (int file = 0; file < 2048; ++file) count += fcntl(file, F_GETFD) >= 0 ? 1 : 0;
    return count;
  };
  const int before = open_files();
  ThreadCounters counters(kSoftware, 0);
  REQUIRE(open_files() > before);
  const Took took = compute(20 * kMillisecond);
  counters.enter();
  counters.called(1, {}, Share::everything);
  counters.settle();
  CHECK(open_files() == before);
  check_task_clock(counters, {1, 0}, took);
  CHECK(counters.group().counts(CounterEvent::task_clock));
  const auto times = counters.group().times();
  CHECK(times.running > 0);
  counters.leave();
  compute(5 * kMillisecond);
  counters.enter();
  counters.called(2, {}, Share::everything);
  CHECK(counted(counters, {2, 1}, CounterEvent::task_clock) == 0);
  CHECK(counters.group().times().enabled == times.enabled);
  counters.settle();
  CHECK(open_files() == before);
}
