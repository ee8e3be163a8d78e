// SPDX-License-Identifier: MIT
// The recorder's clock: wall time from the processor's time stamp counter where that is trustworthy, else from
// CLOCK_MONOTONIC; or the thread's CPU time.
//
// Cost    now(): 8–20 ns (time stamp counter), 25–40 ns (CLOCK_MONOTONIC), 150–300 ns (thread CPU time: a system call).
// Units   readings are ticks of no fixed unit; between() gives nanoseconds. Readings of one thread only may be compared
//         when the clock is CPU time.
// Error   the counter's rate is measured over MPI_Init (at least kCalibration) and again at every snapshot: about 1e-5.
#pragma once

#include <cstdint>
#include <ctime>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "trace-io/base/quantity.hpp"

namespace reprise::recorder {

enum class ClockSource : std::uint8_t { counter, monotonic, thread_cpu };

class RecordingClock {
 public:
  static constexpr Nanoseconds kCalibration{5'000'000};

  // The first call notes a reading of both clocks, choose() compares with a second one; blocks until kCalibration has passed.
  void begin_calibration() noexcept;
  void choose(bool cpu_time) noexcept;
  void recalibrate() noexcept;  // over the time since begin_calibration(); any thread, any time

  std::uint64_t now() const noexcept {
#if defined(__x86_64__)
    if (source_ == ClockSource::counter) return __rdtsc();
#endif
    return system_time(source_ == ClockSource::thread_cpu ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC);
  }
  // Never negative: 0 where `end` lies before `begin`.
  Nanoseconds between(std::uint64_t begin, std::uint64_t end) const noexcept {
    if (end <= begin) return Nanoseconds{};
    const std::uint64_t ticks = end - begin;
    if (source_ != ClockSource::counter) return Nanoseconds{static_cast<std::int64_t>(ticks)};
    __extension__ using Wide = unsigned __int128;
    return Nanoseconds{static_cast<std::int64_t>((Wide{ticks} * scale_) >> 32)};
  }
  ClockSource source() const noexcept { return source_; }

  static std::uint64_t system_time(clockid_t clock) noexcept {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(time.tv_nsec);
  }

 private:
  ClockSource source_ = ClockSource::monotonic;
  std::uint64_t scale_ = std::uint64_t{1} << 32;  // nanoseconds per tick, 32 fractional bits
  std::uint64_t counter_at_start_ = 0, monotonic_at_start_ = 0;
};

}  // namespace reprise::recorder
