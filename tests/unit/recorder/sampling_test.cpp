// SPDX-License-Identifier: MIT
// Sampling without MPI: call paths of interrupted code, the bounded table, signals, forks, threads with small stacks.
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <climits>
#include <ctime>
#include <vector>

#include "recorder/sampling/thread_sampler.hpp"
#include "recorder/sampling/unwind_tables.hpp"

using namespace reprise;
using namespace reprise::recorder;

namespace {

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

[[gnu::noinline]] double inner(double until) {
  volatile double sum = 0;
  while (cpu_seconds() < until)
    for (int i = 0; i < 20'000; ++i) sum = sum + i;
  return sum;
}
[[gnu::noinline]] double outer(double seconds) {
  const double sum = inner(cpu_seconds() + seconds);
  asm volatile("");  // no tail call
  return sum;
}

struct Sampled {
  const void* inside = nullptr;
  std::atomic<bool> is_recording{false};
  ThreadSampler sampler{{&inside, &is_recording}, 7};
};

bool is_in(std::uintptr_t address, std::uintptr_t function) {
  const auto entry = find_unwind_entry(function);
  return entry && address > entry->begin && address <= entry->end;
}

std::uint64_t total(const ThreadSampler::Counts& counts) {
  std::uint64_t sum = 0;
  for (const auto& [path, stacks] : counts.paths)
    for (const auto& [stack, samples] : stacks) sum += samples;
  return sum;
}

}  // namespace

TEST_CASE("sampling: samples name the function and its callers, between the calls that they are of",
          "[recorder]") {
  Sampled sampled;
  REQUIRE(take_sampling_signal());
  REQUIRE(sampled.sampler.start(200));
  outer(0.5);
  sampled.sampler.called(3);
  outer(0.25);
  sampled.sampler.called(4);
  sampled.sampler.stop();
  const auto counts = sampled.sampler.computing();
  REQUIRE(counts.paths.size() == 2);
  CHECK(counts.paths.begin()->first == ThreadSampler::Path{3, 7});
  CHECK(counts.paths.rbegin()->first == ThreadSampler::Path{4, 3});
  // The timer counts CPU time: 200 a second of it, whatever else runs.
  CHECK(total(counts) > 100);
  CHECK(total(counts) < 200);
  std::uint64_t within = 0;
  for (const auto& [path, stacks] : counts.paths)
    for (const auto& [stack, samples] : stacks) {
      const auto addresses = counts.stacks->addresses(stack);
      const bool has_outer = std::ranges::any_of(addresses, [](std::uintptr_t address) {
        return is_in(address, reinterpret_cast<std::uintptr_t>(&outer));
      });
      if (has_outer && counts.stacks->reached_end(stack)) within += samples;
    }
  CHECK(static_cast<double>(within) > 0.95 * static_cast<double>(total(counts)));
  release_sampling_signal();
}

TEST_CASE("sampling: inside of a call the innermost function alone is kept, apart", "[recorder]") {
  Sampled sampled;
  REQUIRE(take_sampling_signal());
  REQUIRE(sampled.sampler.start(200));
  sampled.is_recording = true;
  sampled.inside = &sampled;
  outer(0.2);
  const std::uint64_t own = sampled.sampler.own();
  CHECK(own > 20);
  sampled.inside = nullptr;
  sampled.is_recording = false;
  outer(0.2);
  sampled.sampler.discard();
  sampled.sampler.called(3);
  sampled.sampler.stop();
  CHECK(total(sampled.sampler.computing()) == 0);
  CHECK(sampled.sampler.left_out() > 20);
  release_sampling_signal();
}

TEST_CASE("sampling: a full table keeps the innermost function, then counts what it leaves out",
          "[recorder]") {
  SampleTable table;
  std::vector<std::uintptr_t> path(60);
  std::size_t kept = 0;
  for (std::uintptr_t i = 0; i < 3 * SampleTable::kMostStacks; ++i) {
    path[0] = 1 + i % 5000;
    path[59] = i;
    kept += table.add(path, true, 2) ? 1 : 0;
  }
  CHECK(kept < 3 * SampleTable::kMostStacks);
  std::uint64_t samples = 0;
  std::size_t whole = 0, stacks = 0;
  table.take([&](std::uint32_t stack, std::uint32_t count) {
    samples += count;
    ++stacks;
    whole += table.addresses(stack).size() == 60 ? 1 : 0;
  });
  CHECK(samples == 2 * kept);
  CHECK(stacks == SampleTable::kMostStacks);
  CHECK(whole == (SampleTable::kMostWords - SampleTable::kMostStacks) / 59);
  CHECK_FALSE(table.has_any());
}

TEST_CASE("sampling: a program that has the signal keeps it", "[recorder]") {
  struct sigaction theirs {
  }, before{};
  theirs.sa_handler = [](int) {};
  REQUIRE(sigaction(kSamplingSignal, &theirs, &before) == 0);
  CHECK_FALSE(take_sampling_signal());
  REQUIRE(sigaction(kSamplingSignal, &before, nullptr) == 0);
  REQUIRE(take_sampling_signal());
  CHECK(has_sampling_signal());
  REQUIRE(sigaction(kSamplingSignal, &theirs, nullptr) == 0);
  CHECK_FALSE(has_sampling_signal());
  release_sampling_signal();  // theirs stays
  struct sigaction now {};
  REQUIRE(sigaction(kSamplingSignal, nullptr, &now) == 0);
  CHECK(now.sa_handler == theirs.sa_handler);
  REQUIRE(sigaction(kSamplingSignal, &before, nullptr) == 0);
}

TEST_CASE("sampling: a forked child is not sampled and lives", "[recorder]") {
  Sampled sampled;
  REQUIRE(take_sampling_signal());
  REQUIRE(sampled.sampler.start(1000));
  outer(0.05);
  const pid_t child = fork();
  if (child == 0) {
    sampled.sampler.discard();
    const std::uint64_t before = sampled.sampler.left_out();
    outer(0.1);
    sampled.sampler.discard();
    signal(kSamplingSignal, SIG_DFL);
    _exit(sampled.sampler.left_out() == before ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  sampled.sampler.stop();
  release_sampling_signal();
}

TEST_CASE("sampling: a forked child that ends its copy does not end the parent's", "[recorder]") {
  Sampled sampled;
  REQUIRE(take_sampling_signal());
  REQUIRE(sampled.sampler.start(1000));
  const pid_t child = fork();
  if (child == 0) {
    sampled.sampler.stop();
    _exit(0);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  outer(0.1);
  sampled.sampler.called(1);
  CHECK(total(sampled.sampler.computing()) > 40);
  sampled.sampler.stop();
  release_sampling_signal();
}

TEST_CASE("sampling: a program that closes all files loses samples, and none of its own files",
          "[recorder]") {
  Sampled sampled;
  REQUIRE(take_sampling_signal());
  REQUIRE(sampled.sampler.start(1000));
  if (!sampled.sampler.is_precise()) return release_sampling_signal();
  int theirs = -1;
  for (int file = 512; file < 1024; ++file)
    if (fcntl(file, F_GETFD) >= 0) {
      close(file);
      theirs = file;
    }
  REQUIRE(theirs >= 0);
  REQUIRE(dup2(1, theirs) == theirs);
  outer(0.05);
  sampled.sampler.stop();
  CHECK(fcntl(theirs, F_GETFD) >= 0);
  close(theirs);
  release_sampling_signal();
}

TEST_CASE("sampling: threads with the smallest stacks live, and their timers go with them",
          "[recorder]") {
  REQUIRE(take_sampling_signal());
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  REQUIRE(pthread_attr_setstacksize(&attributes, static_cast<std::size_t>(PTHREAD_STACK_MIN)) == 0);
  for (int round = 0; round < 3; ++round) {
    Sampled sampled;
    pthread_t thread{};
    REQUIRE(pthread_create(
                &thread, &attributes,
                [](void* argument) -> void* {
                  auto& its = *static_cast<Sampled*>(argument);
                  const bool is_on = its.sampler.start(1000);
                  outer(0.1);
                  its.sampler.called(1);
                  return is_on ? argument : nullptr;
                },
                &sampled) == 0);
    void* result = nullptr;
    pthread_join(thread, &result);
    CHECK(result == &sampled);
    CHECK(total(sampled.sampler.computing()) > 20);
  }
  pthread_attr_destroy(&attributes);
  release_sampling_signal();
}

namespace {

struct SmallThread {
  Sampled sampled;
  bool had_stack = false, has_stack = true;
  std::uint64_t before = 0, after = 0, left_out = 0;

  static bool has_alternate_stack() {
    stack_t now{};
    return sigaltstack(nullptr, &now) == 0 && (now.ss_flags & SS_DISABLE) == 0;
  }
  static void* run(void* argument) {
    auto& own = *static_cast<SmallThread*>(argument);
    ThreadSampler& sampler = own.sampled.sampler;
    if (!sampler.start(1000)) return nullptr;
    outer(0.1);
    own.had_stack = has_alternate_stack();
    sampler.called(1);
    own.before = total(sampler.computing());
    sigset_t held;  // one comes, and waits
    sigemptyset(&held);
    sigaddset(&held, kSamplingSignal);
    pthread_sigmask(SIG_BLOCK, &held, nullptr);
    outer(0.02);
    sampler.settle();
    pthread_sigmask(SIG_UNBLOCK, &held, nullptr);
    own.has_stack = has_alternate_stack();
    outer(0.05);
    sampler.called(2);
    own.after = total(sampler.computing());
    return argument;
  }
};

}  // namespace

TEST_CASE("sampling: a thread that ends gives its signal stack back, and keeps its samples",
          "[recorder]") {
  REQUIRE(take_sampling_signal());
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  REQUIRE(pthread_attr_setstacksize(&attributes, std::size_t{128} << 10U) == 0);
  SmallThread thread;
  pthread_t id{};
  REQUIRE(pthread_create(&id, &attributes, SmallThread::run, &thread) == 0);
  void* result = nullptr;
  pthread_join(id, &result);
  pthread_attr_destroy(&attributes);
  REQUIRE(result == &thread);
  CHECK(thread.had_stack);
  CHECK_FALSE(thread.has_stack);
  CHECK(thread.before > 20);
  CHECK(thread.after == thread.before);
  const auto counts = thread.sampled.sampler.computing();
  REQUIRE(counts.paths.size() == 1);
  std::uint64_t within = 0;  // their stacks are there
  for (const auto& [stack, samples] : counts.paths.begin()->second)
    if (std::ranges::any_of(counts.stacks->addresses(stack), [](std::uintptr_t address) {
          return is_in(address, reinterpret_cast<std::uintptr_t>(&outer));
        }))
      within += samples;
  CHECK(static_cast<double>(within) > 0.9 * static_cast<double>(thread.before));
  release_sampling_signal();
}

TEST_CASE("sampling: a table that keeps what it used has the same paths, and takes no more",
          "[recorder]") {
  SampleTable table;
  const std::vector<std::uintptr_t> one{1, 2, 3}, other{1, 2};
  REQUIRE(table.add(one, true, 1));
  REQUIRE(table.add(other, false, 1));
  std::vector<std::uint32_t> stacks;
  table.take([&](std::uint32_t stack, std::uint32_t) { stacks.push_back(stack); });
  REQUIRE(table.add(one, true, 1));
  table.keep_used_only();
  CHECK_FALSE(table.has_any());
  CHECK_FALSE(table.add(one, true, 1));
  REQUIRE(stacks.size() == 2);
  for (const std::uint32_t stack : stacks) {
    const auto& expected = table.reached_end(stack) ? one : other;
    CHECK(std::ranges::equal(table.addresses(stack), expected));
  }
  table.keep_used_only();
  CHECK(table.addresses(stacks[0]).size() + table.addresses(stacks[1]).size() == 5);
}

TEST_CASE("sampling: longjmp out of sampled code, again and again", "[recorder]") {
  Sampled sampled;
  REQUIRE(take_sampling_signal());
  REQUIRE(sampled.sampler.start(1000));
  static jmp_buf place;
  volatile int jumps = 0;
  const double until = cpu_seconds() + 0.3;
  (void)setjmp(place);
  if (cpu_seconds() < until) {
    outer(1e-4);
    jumps = jumps + 1;
    longjmp(place, 1);
  }
  sampled.sampler.called(1);
  sampled.sampler.stop();
  CHECK(jumps > 10);
  CHECK(total(sampled.sampler.computing()) > 50);
  release_sampling_signal();
}

TEST_CASE("sampling: system calls go on, errno stays", "[recorder]") {
  Sampled sampled;
  REQUIRE(take_sampling_signal());
  REQUIRE(sampled.sampler.start(1000));
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const double until = cpu_seconds() + 0.2;
  errno = 77;
  std::size_t failed = 0;
  char byte = 1;
  while (cpu_seconds() < until) {
    if (write(ends[1], &byte, 1) != 1 || read(ends[0], &byte, 1) != 1) ++failed;
  }
  CHECK(failed == 0);
  CHECK(errno == 77);
  close(ends[0]);
  close(ends[1]);
  sampled.sampler.stop();
  release_sampling_signal();
}
