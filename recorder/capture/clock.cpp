// SPDX-License-Identifier: MIT
#include "recorder/capture/clock.hpp"

#include <sys/resource.h>

#include <algorithm>
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

std::int64_t waits_of_this_thread() {
  rusage use{};
  getrusage(RUSAGE_THREAD, &use);
  return use.ru_nvcsw;
}

// Sleep whose time is over before the thread has begun to, as where a hypervisor takes the core meanwhile, is no waiting.
void wait_shortly() {
  constexpr timespec kMicrosecond{0, 1'000};
  constexpr int kTries = 8;
  const std::int64_t before = waits_of_this_thread();
  for (int i = 0; i < kTries && waits_of_this_thread() == before; ++i)
    nanosleep(&kMicrosecond, nullptr);
}

// Whether the thread's CPU time is the time that it computes undisturbed. REQUIRES: attached.
bool has_usual_cpu_clock(PreemptionDetector& detector) {
  constexpr int kTries = 32;
  constexpr std::uint64_t kWindow = 50'000, kNear = kWindow / 5;  // ns
  for (int i = 0; i < kTries; ++i) {
    if (detector.is_disturbed()) detector.arm();
    const std::uint64_t cpu = RecordingClock::system_time(CLOCK_THREAD_CPUTIME_ID),
                        wall = RecordingClock::system_time(CLOCK_MONOTONIC);
    std::uint64_t passed = 0;
    while (passed < kWindow) passed = RecordingClock::system_time(CLOCK_MONOTONIC) - wall;
    const std::uint64_t used = RecordingClock::system_time(CLOCK_THREAD_CPUTIME_ID) - cpu;
    if (detector.is_undisturbed() && used + kNear > passed && used < passed + kNear) return true;
  }
  return false;
}

Watch watch_of_this_thread() {
  PreemptionDetector detector;
  if (!detector.attach()) return Watch::no_rseq;
  const Watch watch = !detector.sees_waiting(wait_shortly) ? Watch::no_waits
                      : !has_usual_cpu_clock(detector)     ? Watch::other_cpu_clock
                                                           : Watch::on;
  detector.disarm();
  return watch;
}

}  // namespace

// The nearest of a few pairs: between two readings of one the thread may lose its core.
RecordingClock::Pair RecordingClock::both_clocks() noexcept {
  constexpr int kPairs = 3;
  Pair nearest{};
  std::uint64_t least = ~std::uint64_t{0};
  for (int i = 0; i < kPairs; ++i) {
    const std::uint64_t begin = counter(), monotonic = system_time(CLOCK_MONOTONIC),
                        apart = counter() - begin;
    if (apart >= least) continue;
    least = apart;
    nearest = {begin, monotonic};
  }
  return nearest;
}

void RecordingClock::begin_calibration() noexcept { at_start_ = both_clocks(); }

void RecordingClock::choose(bool cpu_time, bool see_preemption) noexcept {
  has_counter_ = counter_is_trustworthy();
  cpu_time_ = cpu_time;
  watch_ = see_preemption ? watch_of_this_thread() : Watch::unwanted;
  source_ = cpu_time && watch_ != Watch::on ? ClockSource::thread_cpu
            : has_counter_                  ? ClockSource::counter
                                            : ClockSource::monotonic;
  if (has_counter_) {
    while (system_time(CLOCK_MONOTONIC) - at_start_.monotonic <
           static_cast<std::uint64_t>(kCalibration.value)) {
    }
    recalibrate();
  }
  reading_takes_ = shortest_interval();
}

// The mean of some in a row: a counter may advance by 10 ns at once.
Nanoseconds RecordingClock::shortest_interval() const noexcept {
  constexpr int kTries = 8, kInARow = 32;
  ThreadTime thread;
  std::uint64_t before = start(thread), least = ~std::uint64_t{0};
  for (int i = 0; i < kTries; ++i) {
    std::uint64_t reading = before;
    for (int k = 0; k < kInARow; ++k) reading = now(thread, Interval::bookkeeping);
    least = std::min(least, reading - before);
    before = reading;
  }
  thread.detector.disarm();
  return Nanoseconds{between(0, least).value / kInARow};
}

std::uint64_t RecordingClock::start(ThreadTime& thread) const noexcept {
  if (watch_ == Watch::on) thread.detector.attach();
  if (source_ == ClockSource::thread_cpu) return now(thread, Interval::bookkeeping);
  const Asked asked = ask_usage(thread, true, true);
  thread.usage = asked.usage;
  thread.knows_switches = asked.undisturbed;
  return thread.asked = thread.latest = asked.end - thread.away;
}

std::uint64_t RecordingClock::ask_system(ThreadTime& thread, Interval interval) const noexcept {
  if (source_ == ClockSource::thread_cpu) {
    const std::uint64_t reading = system_time(CLOCK_THREAD_CPUTIME_ID), ticks = counter();
    note_sleep(thread, reading, ticks, interval);
    thread.asked = ticks;
    return thread.latest = reading;
  }
  const std::uint64_t ticks = ticks_now();
  if (thread.detector.is_undisturbed()) return thread.latest = ticks - thread.away;
  return after_disturbance(thread, ticks, interval);
}

// thread_cpu only. What is asked here is asked after `ticks`: in a call, or the recorder's own.
void RecordingClock::note_sleep(ThreadTime& thread, std::uint64_t reading, std::uint64_t ticks,
                                Interval interval) const noexcept {
  if (!has_counter_) return;
  const bool is_first = thread.asked == 0;
  const std::int64_t passed = nanoseconds(ticks - thread.asked);
  const Nanoseconds lacks{passed - static_cast<std::int64_t>(reading - thread.latest)};
  if (!is_first && lacks < kSoon) return;
  rusage use{};
  getrusage(RUSAGE_THREAD, &use);
  if (!is_first && interval == Interval::compute && use.ru_nvcsw != thread.usage.waits)
    add_owned(thread.asleep, lacks);
  thread.usage.waits = use.ru_nvcsw;
}

std::uint64_t RecordingClock::cpu_at_latest(const ThreadTime& thread) const noexcept {
  const std::uint64_t latest = read_shared(thread.latest);
  if (source_ == ClockSource::thread_cpu) return latest;
  const Nanoseconds since = between(read_shared(thread.asked), latest);
  return read_shared(thread.usage.cpu) + static_cast<std::uint64_t>(since.value);
}

std::uint64_t RecordingClock::wall_at_latest(const ThreadTime& thread) const noexcept {
  if (source_ == ClockSource::thread_cpu) return read_shared(thread.asked);
  return read_shared(thread.latest) + read_shared(thread.away);
}

std::uint64_t RecordingClock::wall_now() const noexcept {
  return source_ == ClockSource::thread_cpu ? counter() : ticks_now();
}

Nanoseconds RecordingClock::wall_between(std::uint64_t begin, std::uint64_t end) const noexcept {
  if (source_ != ClockSource::thread_cpu) return between(begin, end);
  if (!has_counter_ || end <= begin) return Nanoseconds{};
  return Nanoseconds{nanoseconds(end - begin)};
}

// Not for thread_cpu.
std::uint64_t RecordingClock::ticks_now() const noexcept {
  if (source_ == ClockSource::counter) return counter();
  return source_ == ClockSource::manual ? manual_ : system_time(CLOCK_MONOTONIC);
}

ThreadUsage RecordingClock::usage_now(bool of_switches) const noexcept {
  if (source_ == ClockSource::manual) return manual_usage_;
  rusage use{};
  if (of_switches) getrusage(RUSAGE_THREAD, &use);
  return {system_time(CLOCK_THREAD_CPUTIME_ID), use.ru_nvcsw, use.ru_nivcsw};
}

// Arms, if the detector is ours, and asks, again where the thread is disturbed meanwhile: what passes from one question to the next
// beyond its CPU time is lost. Where that does not end, the next reading finds it disturbed.
RecordingClock::Asked RecordingClock::ask_usage(const ThreadTime& thread, bool arm,
                                                bool of_switches) const noexcept {
  constexpr int kTries = 3;
  PreemptionDetector detector = thread.detector;
  Asked asked;
  for (int i = 0; i < kTries; ++i) {
    if (arm && detector.is_disturbed()) detector.arm();
    const Asked before = asked;
    asked.begin = ticks_now();
    asked.usage = usage_now(of_switches);
    asked.end = ticks_now();
    if (i > 0) {
      const std::uint64_t passed = asked.begin - before.begin;
      asked.lost += passed - std::min(passed, ticks_of(asked.usage.cpu - before.usage.cpu));
    }
    asked.undisturbed = detector.is_undisturbed();
    if (!arm || asked.undisturbed) break;
  }
  if (!of_switches) {
    asked.usage.waits = thread.usage.waits;
    asked.usage.preemptions = thread.usage.preemptions;
  }
  return asked;
}

// Whether the CPU time at the end of this call may stay unasked. What the thread was given in it is at most what passed.
bool RecordingClock::is_left_open(ThreadTime& thread, std::uint64_t unbroken) const noexcept {
  if (cpu_time_ || thread.waits || !thread.knows_switches) return false;
  const std::uint64_t open = thread.open + unbroken - thread.latest;
  if (between(0, open) > kOpen) return false;
  thread.open = open;
  thread.has_old_switches = true;
  thread.detector.arm();
  return true;
}

// A thread waits once an interval of computing has more waits than were known before; not any more when its calls have had none for a while,
// which is twice as long each time it waits again.
void RecordingClock::note_waits(ThreadTime& thread, const ThreadUsage& after, bool computed,
                                bool of_switches) noexcept {
  constexpr std::uint32_t kMostCalm = 1 << 20;
  const bool waited = after.waits != thread.usage.waits;
  if (computed && thread.has_old_switches && waited) {
    if (!thread.waits && thread.calm_calls < kMostCalm) thread.calm_calls *= 2;
    thread.waits = true;  // in this interval, or in a call before it
    thread.calm = 0;
  } else if (thread.waits && !computed && of_switches) {
    thread.calm = waited ? 0 : thread.calm + 1;
    thread.waits = thread.calm < thread.calm_calls;
  }
}

// `ticks`: read before the disturbance was found. The reading is that time: to ask is the recorder's own work.
std::uint64_t RecordingClock::after_disturbance(ThreadTime& thread, std::uint64_t ticks,
                                                Interval interval) const noexcept {
  const std::uint64_t unbroken = ticks - thread.away;
  const bool known = thread.detector.is_disturbed(), computed = interval == Interval::compute;
  if (!known) {
    if (computed) add_owned(thread.preemptions.unknown, 1);
    thread.knows_switches = false;
    if (!cpu_time_ ||
        (interval == Interval::bookkeeping && between(thread.latest, unbroken) < kSoon))
      return thread.latest = unbroken;
  }
  if (known && interval == Interval::communicate && is_left_open(thread, unbroken))
    return thread.latest = unbroken;
  const bool of_switches = known && (computed || thread.waits || !cpu_time_);
  const Asked asked = ask_usage(thread, known, of_switches);
  const ThreadUsage &before = thread.usage, &after = asked.usage;
  note_waits(thread, after, computed, of_switches);
  const bool preempted = known && thread.knows_switches && computed &&
                         after.preemptions > before.preemptions && after.waits == before.waits;
  const bool slept = of_switches && computed && thread.knows_switches &&
                     after.waits != before.waits && (cpu_time_ || !thread.has_old_switches);
  std::uint64_t reading = unbroken;
  if (cpu_time_ || preempted || slept) {
    const std::uint64_t used = after.cpu > before.cpu ? ticks_of(after.cpu - before.cpu) : 0;
    const std::uint64_t own = asked.undisturbed ? asked.end - asked.begin : 0;
    std::uint64_t on_core = thread.asked + used - std::min(used, own) + thread.open;
    if (on_core < thread.latest) {
      if (cpu_time_ || preempted) {
        add_owned(thread.preemptions.clamped, 1);
        add_owned(thread.preemptions.clamped_time, between(on_core, thread.latest));
      }
      on_core = thread.latest;
    }
    if (!cpu_time_) on_core = std::min(on_core, unbroken);
    if (slept) add_owned(thread.asleep, between(on_core, unbroken));
    if (cpu_time_ || preempted) reading = on_core;
  }
  // Not where a signal disturbed it and the switches are those of calls before.
  const std::uint64_t off = (reading < unbroken ? unbroken - reading : 0) + asked.lost;
  if (preempted && off > 0) thread.preemptions.add(between(0, off));
  if (known) thread.knows_switches = true;
  thread.has_old_switches = !of_switches;
  thread.open = 0;
  thread.usage = after;
  thread.away_before = thread.away;
  thread.away = asked.end - reading;
  return thread.asked = thread.latest = reading;
}

RecordingClock::Moment RecordingClock::moment() const noexcept {
  if (source_ != ClockSource::counter) {
    const std::uint64_t ticks = ticks_now();
    return {ticks, ticks};
  }
  const Pair pair = both_clocks();
  return {pair.counter, pair.monotonic};
}

void RecordingClock::recalibrate() noexcept {
  if (!has_counter_) return;
  const Pair now = both_clocks();
  const std::uint64_t ticks = now.counter - at_start_.counter;
  const std::uint64_t nanoseconds = now.monotonic - at_start_.monotonic;
  if (ticks == 0) return;
  __extension__ using Wide = unsigned __int128;
  const auto scale = static_cast<std::uint64_t>((Wide{nanoseconds} << 32) / ticks);
  __atomic_store_n(&scale_, scale, __ATOMIC_RELAXED);
}

std::uint64_t RecordingClock::ticks_of(std::uint64_t nanoseconds) const noexcept {
  if (source_ != ClockSource::counter) return nanoseconds;
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide{nanoseconds} << 32) / scale());
}

}  // namespace reprise::recorder
