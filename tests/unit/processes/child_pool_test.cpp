// SPDX-License-Identifier: MIT
#include "sim/processes/child_pool.hpp"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <vector>

using namespace reprise;
using namespace reprise::sim;

namespace {

ChildEnd end_of(const RunLimits& limits, const std::function<std::string()>& work) {
  ChildPool pool(1, limits);
  pool.start(7, work);
  for (;;)
    if (auto end = pool.next(1000)) return *end;
}

// What all pieces come to, by number, in kept children.
std::vector<ChildEnd> ends_of(std::size_t jobs, const RunLimits& limits, std::size_t count,
                              const ChildPool::Work& work) {
  ChildPool pool(jobs, limits, work);
  std::vector<ChildEnd> ends(count);
  for (std::size_t next = 0; next < count || !pool.is_empty();) {
    while (next < count && !pool.is_full()) pool.start(next++);
    if (auto end = pool.next(1000)) ends[end->id] = std::move(*end);
  }
  return ends;
}

std::string own_process() { return std::to_string(getpid()); }

std::string use_memory(std::size_t bytes) {
  const std::vector<char> much(bytes, 'x');
  return much[bytes / 2] == 'x' ? "had it" : "";
}

}  // namespace

TEST_CASE("child pool: what a child returns arrives whole, however long", "[processes]") {
  const auto end = end_of({}, [] { return std::string(1'000'000, 'x'); });
  CHECK(end.id == 7);
  CHECK(end.reason.empty());
  CHECK(end.result == std::string(1'000'000, 'x'));
  CHECK(end_of({}, [] { return std::string(); }).reason.empty());
}

TEST_CASE("child pool: a child that dies has a reason and no result", "[processes]") {
  // Catch's own handlers would tell of it
  CHECK(end_of({}, []() -> std::string {
          std::signal(SIGSEGV, SIG_DFL);
          std::raise(SIGSEGV);
          return "";
        }).reason == "killed by signal 11 (Segmentation fault)");
  CHECK(end_of({}, []() -> std::string {
          std::raise(SIGKILL);
          return "";
        }).reason == "killed by signal 9 (Killed), perhaps because the machine ran out of memory");
  CHECK(end_of({}, []() -> std::string {
          std::signal(SIGABRT, SIG_DFL);
          std::abort();
        }).reason == "killed by signal 6 (Aborted)");
  CHECK(end_of({}, []() -> std::string { _exit(9); }).reason == "ended with exit status 9");
  CHECK(end_of({}, []() -> std::string { throw std::bad_alloc(); }).reason == "out of memory");
}

TEST_CASE("child pool: a killed child is not reported as one that hit its limits", "[processes]") {
  CHECK(end_of({}, []() -> std::string {
          std::raise(SIGKILL);
          return "";
        }).was_killed);
  CHECK_FALSE(end_of({}, []() -> std::string { _exit(9); }).was_killed);
  CHECK_FALSE(end_of({}, [] { return std::string("done"); }).was_killed);
  CHECK_FALSE(end_of({Seconds{0.05}, Bytes{}}, []() -> std::string {
                volatile std::uint64_t spins = 0;
                for (;;) spins = spins + 1;
              }).was_killed);
}

TEST_CASE("child pool: a child that wants more memory than it may have is out of memory",
          "[processes]") {
  const RunLimits limits{Seconds{0}, Bytes{std::uint64_t{256} << 20}};
  CHECK(end_of(limits, [] { return use_memory(std::size_t{16} << 20); }).result == "had it");
  CHECK(end_of(limits, [] { return use_memory(std::size_t{512} << 20); }).reason ==
        "out of memory, the limit is 256 MiB");
}

TEST_CASE("child pool: a child that takes too long is ended", "[processes]") {
  const RunLimits limits{Seconds{0.05}, Bytes{}};
  const auto end = end_of(limits, []() -> std::string {
    volatile std::uint64_t spins = 0;
    for (;;) spins = spins + 1;
  });
  CHECK(end.reason == "took more than 50 ms of CPU time");
  CHECK(end.result.empty());
}

TEST_CASE("child pool: a child that is stopped is ended by the wall clock", "[processes]") {
  const RunLimits limits{Seconds{0.05}, Bytes{}};
  ChildPool pool(1, limits);
  pool.start(7, []() -> std::string {
    std::raise(SIGSTOP);
    return "went on";
  });
  std::optional<ChildEnd> end;
  for (int tries = 0; tries < 600 && !end; ++tries) end = pool.next(100);
  REQUIRE(end);
  CHECK(end->reason ==
        "stopped by a signal for longer than the 50 ms of CPU time that it may take");
  CHECK(end->result.empty());
  CHECK(pool.is_empty());
}

TEST_CASE("child pool: a child that was stopped and goes on is let alone", "[processes]") {
  const RunLimits limits{Seconds{1000}, Bytes{}};
  ChildPool pool(1, limits);
  pool.start(7, []() -> std::string {
    const pid_t own = getpid();
    if (fork() == 0) {  // wakes it up
      usleep(300'000);
      kill(own, SIGCONT);
      _exit(0);
    }
    std::raise(SIGSTOP);
    return "went on";
  });
  std::optional<ChildEnd> end;
  for (int tries = 0; tries < 600 && !end; ++tries) end = pool.next(100);
  REQUIRE(end);
  CHECK(end->result == "went on");
}

TEST_CASE("child pool: children do not hear the signals by which the parent is stopped",
          "[processes]") {
  const auto end = end_of({}, [] {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) std::raise(signal);
    return std::string("still here");
  });
  CHECK(end.result == "still here");
}

TEST_CASE("child pool: several run at a time, and each keeps its number", "[processes]") {
  ChildPool pool(3, {});
  std::vector<std::string> results;
  for (std::size_t i = 0; i < 3; ++i) pool.start(i, [i] { return std::to_string(i); });
  CHECK(pool.is_full());
  while (!pool.is_empty())
    if (const auto end = pool.next(1000))
      results.push_back(std::to_string(end->id) + "=" + end->result);
  std::sort(results.begin(), results.end());
  CHECK(results == std::vector<std::string>{"0=0", "1=1", "2=2"});
}

TEST_CASE("child pool: kept children do one piece after the other", "[processes]") {
  const auto ends = ends_of(2, {}, 20, [](std::size_t i) {
    return own_process() + ' ' + std::string(i * 5'000, static_cast<char>('a' + i));
  });
  std::vector<std::string> processes;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    CHECK(ends[i].reason.empty());
    const auto space = ends[i].result.find(' ');
    CHECK(ends[i].result.substr(space + 1) == std::string(i * 5'000, static_cast<char>('a' + i)));
    CHECK(ends[i].peak_memory.value > 0);
    processes.push_back(ends[i].result.substr(0, space));
  }
  std::sort(processes.begin(), processes.end());
  const auto different = std::unique(processes.begin(), processes.end()) - processes.begin();
  CHECK(different >= 1);
  CHECK(different < 20);
  CHECK(std::count(processes.begin(), processes.end(), own_process()) == 0);
}

TEST_CASE("child pool: a piece that crashes in a kept child harms no other", "[processes]") {
  for (const std::size_t jobs : {std::size_t{1}, std::size_t{2}}) {
    const auto ends = ends_of(jobs, {}, 12, [](std::size_t i) -> std::string {
      std::signal(SIGSEGV, SIG_DFL);
      if (i % 5 == 3) std::raise(SIGSEGV);
      if (i == 6) throw std::bad_alloc();
      if (i == 7) _exit(0);
      return "did " + std::to_string(i);
    });
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const std::string reason = i % 5 == 3 ? "killed by signal 11 (Segmentation fault)"
                                 : i == 6   ? "out of memory"
                                 : i == 7   ? "ended without a result"
                                            : "";
      CHECK(ends[i].reason == reason);
      CHECK(ends[i].result == (reason.empty() ? "did " + std::to_string(i) : ""));
    }
  }
}

TEST_CASE("child pool: what earlier pieces left behind is no reason for one to fail",
          "[processes]") {
  // In a child of its own each piece is the first one.
  const auto ends = ends_of(1, {}, 5, [](std::size_t i) -> std::string {
    static std::size_t done = 0;
    if (done++ > 0 && i == 3) std::abort();
    std::signal(SIGABRT, SIG_DFL);
    return std::to_string(done);
  });
  for (const ChildEnd& end : ends) CHECK(end.reason.empty());
  CHECK(ends[2].result == "3");
  CHECK(ends[3].result == "1");
}

TEST_CASE("child pool: each piece of a kept child has the time limit for itself", "[processes]") {
  const RunLimits limits{Seconds{0.3}, Bytes{}};
  const auto spin = [](double seconds) {
    const std::clock_t begin = std::clock();
    while (static_cast<double>(std::clock() - begin) < seconds * CLOCKS_PER_SEC) {
    }
  };
  const auto ends = ends_of(1, limits, 30, [&spin](std::size_t i) -> std::string {
    spin(i == 20 ? 1e3 : 0.012);
    return "done";
  });
  for (std::size_t i = 0; i < ends.size(); ++i)
    CHECK(ends[i].reason == (i == 20 ? "took more than 300 ms of CPU time" : ""));
  CHECK(ends[5].cpu_time.value > 0.01);
  CHECK(ends[5].cpu_time.value < 0.2);
}

TEST_CASE("child pool: a child that has computed for long enough is followed by another",
          "[processes]") {
  const auto ends = ends_of(1, {}, 6, [](std::size_t) {
    const std::clock_t begin = std::clock();
    while (static_cast<double>(std::clock() - begin) <
           0.6 * ChildPool::kKeptFor.value * CLOCKS_PER_SEC) {
    }
    return own_process();
  });
  CHECK(ends[0].result == ends[1].result);
  CHECK(ends[1].result != ends[2].result);
  CHECK(ends[2].result == ends[3].result);
}
