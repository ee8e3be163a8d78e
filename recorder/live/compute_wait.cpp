// SPDX-License-Identifier: MIT
#include <algorithm>
#include <ctime>

#include "recorder/live/compute_time.hpp"

namespace reprise::live {
namespace {

// Below this a sleep is less exact than a spin: timers wake some 50 µs late.
constexpr std::int64_t kSpin = 100'000;
constexpr std::int64_t kSecond = 1'000'000'000;

}  // namespace

std::int64_t ComputeWait::now() const {
  timespec time{};
  clock_gettime(clock_ == trace_io::Clock::cpu ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

void ComputeWait::mark() { mark_ = now(); }

void ComputeWait::wait_out(double nanoseconds) {
  const double left_out = std::clamp(nanoseconds, 0.0, left_out_);
  left_out_ -= left_out;
  owed_ += nanoseconds - left_out;
  const auto whole = static_cast<std::int64_t>(owed_);
  owed_ -= static_cast<double>(whole);
  if (whole <= 0) return;
  const std::int64_t until = mark_ + whole;
  std::int64_t time = now();
  if (may_sleep_) {
    while (until - time > kSpin) {
      const std::int64_t rest = until - time - kSpin / 2;
      const timespec sleep{rest / kSecond, rest % kSecond};
      nanosleep(&sleep, nullptr);
      time = now();
    }
  }
  while (time < until) time = now();
  owed_ -= static_cast<double>(
      time - until);            // the next wait is that much shorter, so that totals stay true
  if (owed_ < -1e6) owed_ = 0;  // a machine that was stopped: not to be made good
}

}  // namespace reprise::live
