// SPDX-License-Identifier: MIT
#include "recorder/capture/thread_use.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace reprise::recorder {
namespace {

std::optional<Nanoseconds> time_on(clockid_t clock) noexcept {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) return std::nullopt;
  return Nanoseconds{static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec};
}

// The kernel's number for it: pthread_getcpuclockid() wants a pthread_t, and one that lives.
clockid_t cpu_clock_of(pid_t thread) noexcept {
  constexpr unsigned kOfOneThread = 4, kScheduler = 2, kBits = 3;
  return static_cast<clockid_t>(~static_cast<unsigned>(thread) << kBits | kOfOneThread |
                                kScheduler);
}

// A kernel without this statistic says "0 0 0": of a thread that runs, the third number, how often it was given a core, is not 0.
std::optional<Nanoseconds> time_without_core(pid_t thread) noexcept {
  char path[64], text[128] = "";
  std::snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", static_cast<int>(thread));
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  const ssize_t bytes = read(file, text, sizeof text - 1);
  close(file);
  long long ran = 0, waited = 0, times = 0;
  if (bytes <= 0 || std::sscanf(text, "%lld %lld %lld", &ran, &waited, &times) != 3 || times == 0)
    return std::nullopt;
  return Nanoseconds{waited};
}

}  // namespace

ThreadUse::ThreadUse() noexcept
    : thread_(static_cast<pid_t>(syscall(SYS_gettid))),
      wall_(time_on(CLOCK_MONOTONIC).value_or(Nanoseconds{})),
      cpu_(time_on(CLOCK_THREAD_CPUTIME_ID).value_or(Nanoseconds{})),
      without_core_(time_without_core(thread_)) {}

Nanoseconds ThreadUse::wall() const noexcept {
  return Nanoseconds{time_on(CLOCK_MONOTONIC).value_or(wall_).value - wall_.value};
}

std::optional<Nanoseconds> ThreadUse::cpu() const noexcept {
  const auto now = time_on(cpu_clock_of(thread_));
  if (!now) return std::nullopt;
  return Nanoseconds{now->value - cpu_.value};
}

std::optional<Nanoseconds> ThreadUse::asleep() const noexcept {
  const auto used = cpu(), without_core = time_without_core(thread_);
  if (!used || !without_core || !without_core_) return std::nullopt;
  const Nanoseconds waited{without_core->value - without_core_->value};
  return std::max(Nanoseconds{}, Nanoseconds{wall().value - used->value - waited.value});
}

}  // namespace reprise::recorder
