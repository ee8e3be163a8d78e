// SPDX-License-Identifier: MIT
// The recorder's clock: wall time from the processor's time stamp counter where that is trustworthy, else from
// CLOCK_MONOTONIC; or the thread's CPU time. In wall time, too, a compute delta in which the thread was preempted is its CPU time.
//
// How     an interval in which a thread kept its core has CPU time = wall time. So both clocks read the counter, less what the thread was
//         away, and ask the system only after a reading that finds the thread disturbed (preemption.hpp): its CPU time then is
//         what CLOCK_THREAD_CPUTIME_ID has advanced since it was last asked, less the undisturbed times in between; what that lacks is
//         away. CPU time deducts all of it; wall time deducts it from computing only, and only where the thread has not waited of its
//         own will (getrusage: switches against its will, no others). What has waited, a call or the computing after it, is known where the
//         switches were read in between. In wall time they are read with the CPU time at the end of each disturbed call, but for calls that yield
//         or spin, which are disturbed each time: while such calls have taken less than kOpen in all since the last question, nothing is asked.
//         What the thread was given in them lies between nothing and what passed, and is taken for the latter, so
//         that a preempted interval after them comes out too long by less than kOpen, and never too short. If the thread has waited in one of them, a
//         preempted interval after it is taken for a wait, once: from then on every disturbed call is asked about. In CPU time, where switches tell sleep alone,
//         the end of a call is asked for CPU time only until the thread is known to wait.
//         Where rseq cannot be had, wall time deducts nothing and CPU time is asked from the system for each reading but soon_after().
// Asking  the kernel may switch the thread out in the question itself: to read the CPU time it brings the thread's account up to date, and so finds
//         a time slice used up that the next tick would have found. Where signals disturb each interval of computing (samples), most
//         preemptions happen there. What is lost so counts with the interval that was asked about; it is in no reading.
// Sleep   CPU time loses what a thread sleeps between its calls (for a team, a file, a timer): ThreadTime::asleep has it. An interval of computing
//         that lacks time and in which the thread has waited of its own will has slept all of it: at most, for it may have waited for a core
//         as well. Without rseq only intervals that lack kSoon or more are asked for waits, and none where there is no counter.
// Cost    now(): 8–20 ns (time stamp counter), 25–40 ns (CLOCK_MONOTONIC), 0.3–1 µs more after a disturbance (at the end of calls: once in kOpen of them; 0.3 in CPU time). CPU time without
//         rseq 150–450 ns: a system call.
// Units   readings are ticks of no fixed unit; between() gives nanoseconds. Readings of one thread only may be compared.
// Error   the counter's rate is measured over MPI_Init (at least kCalibration) and again at every snapshot: about 1e-5. CPU time: what
//         a hypervisor takes, or interrupts where the kernel accounts for them apart, counts until the next disturbance, which it
//         shortens: never below 0, and what is left is counted (Preemptions::clamped_time).
#pragma once

#include <cstdint>
#include <ctime>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "recorder/capture/preemption.hpp"
#include "trace-io/base/quantity.hpp"

namespace reprise::recorder {

enum class ClockSource : std::uint8_t { counter, monotonic, thread_cpu, manual };

// CPU time and context switches of the calling thread, from the operating system.
struct ThreadUsage {
  std::uint64_t cpu = 0;  // ns
  std::int64_t waits = 0, preemptions = 0;
};

// What the clock keeps of one thread. Touched by that thread only.
struct ThreadTime {
  PreemptionDetector detector;
  std::uint64_t away = 0;         // ticks that have passed and are in no reading
  std::uint64_t away_before = 0;  // before the reading `asked`
  std::uint64_t latest = 0;       // reading
  std::uint64_t asked =
      0;  // reading at which `usage` was (thread_cpu: the counter at the latest reading)
  ThreadUsage usage;
  bool knows_switches = false;    // nothing unknown has happened since
  bool has_old_switches = false;  // those of `usage` were read earlier than its CPU time
  bool waits = false;             // at times: switches are read at the end of each disturbed call
  std::uint32_t calm = 0;         // calls since then that were disturbed and had no wait
  std::uint32_t calm_calls = 16;  // so many of these, and it does not wait any more
  Nanoseconds
      asleep{};  // what it was off its core between calls in which it slept, that is what it slept at most; read by others
  std::uint64_t open = 0;  // ticks of disturbed calls since `asked`, whose CPU time is not known
  Preemptions preemptions;
};

// Whether preemption is looked for, and why not.
enum class Watch : std::uint8_t {
  on,
  unwanted,
  no_rseq,
  no_waits,         // the kernel does not tell of every switch
  other_cpu_clock,  // the program, or a library that it loads, has put a clock of its own in place of the thread's CPU time
};

// What ends with a reading.
enum class Interval : std::uint8_t { compute, communicate, bookkeeping };

class RecordingClock {
 public:
  static constexpr Nanoseconds kCalibration{5'000'000};

  // The first call notes a reading of both clocks, choose() compares with a second one; blocks until kCalibration has passed.
  void begin_calibration() noexcept;
  // Looks for rseq as well, if wanted, by waiting a few times for a microsecond and computing for some 50.
  void choose(bool cpu_time, bool see_preemption) noexcept;
  void recalibrate() noexcept;  // over the time since begin_calibration(); any thread, any time

  // The first reading of a thread.
  std::uint64_t start(ThreadTime&) const noexcept;
  [[gnu::always_inline]] std::uint64_t now(ThreadTime& thread, Interval interval) const noexcept {
#if defined(__x86_64__)
    if (source_ == ClockSource::counter) [[likely]] {
      const std::uint64_t ticks = __rdtsc();  // before the look, which then vouches for it
      if (thread.detector.is_undisturbed()) [[likely]]
        return thread.latest = ticks - thread.away;
      return after_disturbance(thread, ticks, interval);
    }
#endif
    return ask_system(thread, interval);
  }
  // Now, where little but the recorder's own work has happened on this thread since `reading`, its latest now(). Cheaper where now()
  // is a system call: then it is that reading and what the counter has counted since; if that is much, the thread may have lost
  // its processor meanwhile, and the system is asked.
  std::uint64_t soon_after(ThreadTime& thread, std::uint64_t reading) const noexcept {
#if defined(__x86_64__)
    if (source_ == ClockSource::thread_cpu && has_counter_) {
      const Nanoseconds since{nanoseconds(__rdtsc() - thread.asked)};
      if (since < kSoon) return reading + static_cast<std::uint64_t>(since.value);
    }
#endif
    (void)reading;
    return now(thread, Interval::bookkeeping);
  }
  // Never negative: 0 where `end` lies before `begin`.
  [[gnu::always_inline]] Nanoseconds between(std::uint64_t begin,
                                             std::uint64_t end) const noexcept {
    if (end <= begin) return Nanoseconds{};
    const std::uint64_t ticks = end - begin;
    if (source_ != ClockSource::counter) return Nanoseconds{static_cast<std::int64_t>(ticks)};
    return Nanoseconds{nanoseconds(ticks)};
  }
  // So long, in readings.
  std::uint64_t ticks_of(std::uint64_t nanoseconds) const noexcept;
  ClockSource source() const noexcept { return source_; }
  bool is_cpu_time() const noexcept { return cpu_time_ || source_ == ClockSource::thread_cpu; }
  // From one now() to the next, where nothing comes in between.
  Nanoseconds reading_takes() const noexcept { return reading_takes_; }
  // CPU time of a thread at its latest reading, since the thread began; more than that where nobody looks for preemption. For other threads.
  std::uint64_t cpu_at_latest(const ThreadTime&) const noexcept;
  // Wall time in ticks of no fixed unit, at the latest now() of a thread and now; 0 and no time between them where the clock has neither a counter nor
  // monotonic time. For signal handlers and other threads.
  std::uint64_t wall_at_latest(const ThreadTime&) const noexcept;
  std::uint64_t wall_now() const noexcept;
  Nanoseconds wall_between(std::uint64_t begin, std::uint64_t end) const noexcept;
  // Readings are no system calls.
  bool is_cheap() const noexcept { return source_ != ClockSource::thread_cpu; }
  // The same moment in ticks, with what threads have been away, and on CLOCK_MONOTONIC. REQUIRES: not thread_cpu.
  struct Moment {
    std::uint64_t ticks, monotonic;
  };
  Moment moment() const noexcept;
  Watch watch() const noexcept { return watch_; }

  static std::uint64_t system_time(clockid_t clock) noexcept {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u +
           static_cast<std::uint64_t>(time.tv_nsec);
  }

  // A clock that stands still until it is advanced, for tests. Threads are watched once their detector is attached.
  static RecordingClock stopped(bool cpu_time = false, Nanoseconds reading_takes = {}) noexcept {
    RecordingClock clock;
    clock.reading_takes_ = reading_takes;
    clock.source_ = ClockSource::manual;
    clock.cpu_time_ = cpu_time;
    return clock;
  }
  void advance(std::uint64_t nanoseconds) noexcept {
    manual_ += nanoseconds;
    manual_usage_.cpu += nanoseconds;
  }
  void advance(std::uint64_t wall, const ThreadUsage& usage) noexcept {
    manual_ += wall;
    manual_usage_.cpu += usage.cpu;
    manual_usage_.waits += usage.waits;
    manual_usage_.preemptions += usage.preemptions;
  }

 private:
  static constexpr Nanoseconds kSoon{10'000};
  static constexpr Nanoseconds kOpen{50'000};
  struct Pair {
    std::uint64_t counter, monotonic;
  };
  struct Asked {
    std::uint64_t begin, end;  // ticks
    ThreadUsage usage;
    bool undisturbed;
    std::uint64_t lost =
        0;  // ticks off the core between the first of several questions and the last
  };

  static Pair both_clocks() noexcept;
  std::uint64_t ask_system(ThreadTime&, Interval) const noexcept;
  void note_sleep(ThreadTime&, std::uint64_t reading, std::uint64_t ticks, Interval) const noexcept;
  std::uint64_t after_disturbance(ThreadTime&, std::uint64_t ticks, Interval) const noexcept;
  bool is_left_open(ThreadTime&, std::uint64_t unbroken) const noexcept;
  static void note_waits(ThreadTime&, const ThreadUsage& after, bool computed,
                         bool of_switches) noexcept;
  std::uint64_t ticks_now() const noexcept;
  ThreadUsage usage_now(bool of_switches) const noexcept;
  Asked ask_usage(const ThreadTime&, bool arm, bool of_switches) const noexcept;
  std::int64_t nanoseconds(std::uint64_t ticks) const noexcept {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::int64_t>((Wide{ticks} * scale()) >> 32);
  }
  Nanoseconds shortest_interval() const noexcept;

  ClockSource source_ = ClockSource::monotonic;
  bool has_counter_ = false;
  bool cpu_time_ = false;
  Watch watch_ = Watch::unwanted;
  // Any thread recalibrates while others convert; either scale will do.
  std::uint64_t scale() const noexcept { return __atomic_load_n(&scale_, __ATOMIC_RELAXED); }

  std::uint64_t scale_ = std::uint64_t{1} << 32;  // nanoseconds per tick, 32 fractional bits
  Pair at_start_{};
  Nanoseconds reading_takes_{};
  std::uint64_t manual_ = 0;  // ns
  ThreadUsage manual_usage_;
};

}  // namespace reprise::recorder
