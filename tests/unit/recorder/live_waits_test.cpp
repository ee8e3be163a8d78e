// SPDX-License-Identifier: MIT
// What a live replay does between calls and takes from the program's computing. By the thread's CPU clock, which other processes do not
// prolong.
#include <catch2/catch.hpp>
#include <ctime>

#include "recorder/live/compute_time.hpp"

namespace reprise::live {
namespace {

constexpr double kMillisecond = 1e6;

double cpu_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

TEST_CASE("a live replay makes good what it took for itself, however many waits that takes") {
  ComputeWait wait(trace_io::Clock::cpu, true);
  const double begin = cpu_ns();
  wait.leave_out(static_cast<std::int64_t>(30 * kMillisecond));
  for (int i = 0; i < 5; ++i) {
    wait.mark();
    wait.wait_out(10 * kMillisecond);
  }
  const double waited = cpu_ns() - begin;
  CHECK(waited >= 20 * kMillisecond);
  CHECK(waited < 30 * kMillisecond);  // 40 if only the first wait were shorter
}

TEST_CASE("a live replay that took nothing for itself waits for all of the computing") {
  ComputeWait wait(trace_io::Clock::cpu, true);
  const double begin = cpu_ns();
  for (int i = 0; i < 3; ++i) {
    wait.mark();
    wait.wait_out(2 * kMillisecond);
  }
  CHECK(cpu_ns() - begin >= 6 * kMillisecond);
}

}  // namespace
}  // namespace reprise::live
