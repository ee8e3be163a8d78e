// SPDX-License-Identifier: MIT
// The recorder's clock: wall time from the processor's time stamp counter where that is trustworthy, else from
// CLOCK_MONOTONIC; or the thread's CPU time.
//
// Cost    now(): 8–20 ns (time stamp counter), 25–40 ns (CLOCK_MONOTONIC), 150–450 ns (thread CPU time: a system call).
//         soon_after(): what now() costs, but for CPU time, where the counter is used: a recorded call needs two system
//         calls, not three.
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

enum class ClockSource : std::uint8_t { counter, monotonic, thread_cpu, manual };

class RecordingClock {
 public:
  static constexpr Nanoseconds kCalibration{5'000'000};

  // The first call notes a reading of both clocks, choose() compares with a second one; blocks until kCalibration has passed.
  void begin_calibration() noexcept;
  void choose(bool cpu_time) noexcept;
  void recalibrate() noexcept;  // over the time since begin_calibration(); any thread, any time

  [[gnu::always_inline]] std::uint64_t now() const noexcept {
#if defined(__x86_64__)
    if (source_ == ClockSource::counter) return __rdtsc();
#endif
    return ask_system();
  }
  // Now, where little but the recorder's own work has happened on this thread since `reading`, its latest now(). CPU time is
  // that reading and what the counter has counted since; if that is much, the thread may have lost its processor meanwhile,
  // and the clock is asked.
  std::uint64_t soon_after(std::uint64_t reading) const noexcept {
#if defined(__x86_64__)
    if (source_ == ClockSource::thread_cpu && has_counter_) {
      const auto since = static_cast<std::uint64_t>(nanoseconds(__rdtsc() - counter_at_reading_));
      if (since < kSoon) return reading + since;
    }
#endif
    (void)reading;
    return now();
  }
  // Never negative: 0 where `end` lies before `begin`.
  Nanoseconds between(std::uint64_t begin, std::uint64_t end) const noexcept {
    if (end <= begin) return Nanoseconds{};
    const std::uint64_t ticks = end - begin;
    if (source_ != ClockSource::counter) return Nanoseconds{static_cast<std::int64_t>(ticks)};
    return Nanoseconds{nanoseconds(ticks)};
  }
  ClockSource source() const noexcept { return source_; }

  static std::uint64_t system_time(clockid_t clock) noexcept {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u +
           static_cast<std::uint64_t>(time.tv_nsec);
  }

  // A clock that stands still until it is advanced, for tests.
  static RecordingClock stopped() noexcept {
    RecordingClock clock;
    clock.source_ = ClockSource::manual;
    return clock;
  }
  void advance(std::uint64_t nanoseconds) noexcept { manual_ += nanoseconds; }

 private:
  static constexpr std::uint64_t kSoon = 10'000;  // nanoseconds

  std::uint64_t ask_system() const noexcept;
  std::int64_t nanoseconds(std::uint64_t ticks) const noexcept {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::int64_t>((Wide{ticks} * scale_) >> 32);
  }

  static thread_local constinit std::uint64_t counter_at_reading_
      __attribute__((tls_model("initial-exec")));
  ClockSource source_ = ClockSource::monotonic;
  bool has_counter_ = false;
  std::uint64_t manual_ = 0;                      // ns
  std::uint64_t scale_ = std::uint64_t{1} << 32;  // nanoseconds per tick, 32 fractional bits
  std::uint64_t counter_at_start_ = 0, monotonic_at_start_ = 0;
};

}  // namespace reprise::recorder
