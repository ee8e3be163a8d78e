// SPDX-License-Identifier: MIT
#include "recorder/capture/clock.hpp"

#include <cstdio>
#include <cstring>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace reprise::recorder {
namespace {

#if defined(__x86_64__)
// The counter runs at a constant rate in all power states, and the kernel itself keeps time with it (it stops doing so
// when it finds the counters of different processors to disagree).
bool counter_is_trustworthy() noexcept {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kPowerManagement = 0x80000007u, kInvariant = 1u << 8;
  if (__get_cpuid(kPowerManagement, &a, &b, &c, &d) == 0 || (d & kInvariant) == 0) return false;
  char name[32] = "";
  std::FILE* file =
      std::fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
  if (file == nullptr) return false;
  const bool read = std::fgets(name, sizeof name, file) != nullptr;
  std::fclose(file);
  return read && (std::strncmp(name, "tsc", 3) == 0 || std::strncmp(name, "kvm-clock", 9) == 0);
}
std::uint64_t counter() noexcept { return __rdtsc(); }
#else
bool counter_is_trustworthy() noexcept { return false; }
std::uint64_t counter() noexcept { return 0; }
#endif

}  // namespace

thread_local constinit std::uint64_t RecordingClock::counter_at_reading_ = 0;

void RecordingClock::begin_calibration() noexcept {
  counter_at_start_ = counter();
  monotonic_at_start_ = system_time(CLOCK_MONOTONIC);
}

void RecordingClock::choose(bool cpu_time) noexcept {
  has_counter_ = counter_is_trustworthy();
  source_ = cpu_time       ? ClockSource::thread_cpu
            : has_counter_ ? ClockSource::counter
                           : ClockSource::monotonic;
  if (has_counter_) {
    while (system_time(CLOCK_MONOTONIC) - monotonic_at_start_ <
           static_cast<std::uint64_t>(kCalibration.value)) {
    }
    recalibrate();
  }
}

std::uint64_t RecordingClock::ask_system() const noexcept {
  if (source_ == ClockSource::monotonic) return system_time(CLOCK_MONOTONIC);
  if (source_ == ClockSource::manual) return manual_;
  const std::uint64_t reading = system_time(CLOCK_THREAD_CPUTIME_ID);
  counter_at_reading_ = counter();
  return reading;
}

void RecordingClock::recalibrate() noexcept {
  if (!has_counter_) return;
  const std::uint64_t ticks = counter() - counter_at_start_;
  const std::uint64_t nanoseconds = system_time(CLOCK_MONOTONIC) - monotonic_at_start_;
  if (ticks == 0) return;
  __extension__ using Wide = unsigned __int128;
  const auto scale = static_cast<std::uint64_t>((Wide{nanoseconds} << 32) / ticks);
  __atomic_store_n(&scale_, scale, __ATOMIC_RELAXED);
}

}  // namespace reprise::recorder
