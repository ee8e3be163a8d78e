// SPDX-License-Identifier: MIT
// Recording::note_unseen_time(): what a recording does not see of its process, as losses.
#include "trace-io/model/unseen_time.hpp"

#include <algorithm>

#include "recorder/capture/recording.hpp"

namespace reprise::recorder {
namespace {

// Of the run, both of them: less is of no matter, and start-up has it as well.
constexpr double kShare = 0.02;
constexpr Nanoseconds kLeast{10'000'000};

bool matters(Nanoseconds time, Nanoseconds run) {
  return time >= kLeast &&
         static_cast<double>(time.value) > kShare * static_cast<double>(run.value);
}

// Between two calls, the whole thread's sleep at most: the one may have time in it in which the thread waited for a core, the other what
// it slept in calls.
Nanoseconds asleep(const ThreadRecorder& thread) {
  const Nanoseconds between_calls = read_shared(thread.time.asleep);
  if (between_calls < kLeast) return {};
  return std::min(between_calls, thread.use.asleep().value_or(between_calls));
}

// Counted as computing by the wall clock: how long it waited for a core when it could go on after sleep, at least, since sleep in calls is
// taken off as well.
Nanoseconds late_awake(const ThreadRecorder& thread) {
  const Nanoseconds between_calls = read_shared(thread.time.asleep);
  if (between_calls < kLeast) return {};
  const auto all_sleep = thread.use.asleep();
  return all_sleep && *all_sleep < between_calls ? between_calls - *all_sleep : Nanoseconds{};
}

// Of all threads of a rank: worth telling where a disk of 500 MB/s takes more than kShare of the run for it, and more than one file of settings.
bool matters(std::uint64_t bytes, Nanoseconds run) {
  constexpr double kDisk = 0.5;  // bytes a nanosecond
  constexpr std::uint64_t kFew = 16 << 20;
  return bytes >= kFew &&
         static_cast<double>(bytes) / kDisk > kShare * static_cast<double>(run.value);
}

// Of a thread that has ended: until its last call.
Nanoseconds cpu_of(const ThreadRecorder& thread, const RecordingClock& clock) {
  if (const auto cpu = thread.use.cpu()) return *cpu;
  const auto at_last_call = static_cast<std::int64_t>(clock.cpu_at_latest(thread.time));
  return std::max(Nanoseconds{}, Nanoseconds{at_last_call - thread.use.cpu_at_begin().value});
}

}  // namespace

void Recording::note_unseen_time() noexcept try {
  if (clock.watch() == Watch::other_cpu_clock) return;
  const std::lock_guard lock(threads_mutex_);
  const auto process_cpu =
      static_cast<std::int64_t>(RecordingClock::system_time(CLOCK_PROCESS_CPUTIME_ID));
  Nanoseconds others{process_cpu - process_cpu_.value}, slept{}, late{}, touched{};
  std::uint64_t bytes = 0;
  // Threads that are recorded wait for each other, as one that joins the rest does, and what they compute is in the trace.
  const bool is_alone = threads_.size() == 1;
  for (const auto& thread : threads_) {
    touched += thread->first_touches.time();
    bytes += thread->own_files.bytes();
    others = Nanoseconds{others.value - cpu_of(*thread, clock).value};
    if (!is_alone) continue;
    const Nanoseconds run = thread->use.wall();
    if (clock.is_cpu_time()) {
      if (const Nanoseconds time = asleep(*thread); matters(time, run)) slept += time;
    } else if (const Nanoseconds time = late_awake(*thread); matters(time, run)) {
      late += time;
    }
  }
  // Whether it matters shows when all ranks are there (trace-io/merge/finalize.hpp).
  if (touched > Nanoseconds{})
    losses.add(trace_io::kFirstTouches, trace_io::Severity::notice, touched);
  // The streams of functions are written by the thread that calls them, and would count as the program's files.
  if (!settings.trace_calls && matters(bytes, elapsed_))
    losses.add(trace_io::kOwnFiles, trace_io::Severity::notice, {}, bytes >> 20);
  if (matters(process.cpu_before_init, elapsed_))
    losses.add(trace_io::kBeforeInit, trace_io::Severity::notice, process.cpu_before_init);
  if (matters(others, elapsed_))
    losses.add(trace_io::kOtherThreads, trace_io::Severity::notice, others);
  if (slept > Nanoseconds{}) losses.add(trace_io::kAsleep, trace_io::Severity::partial, slept);
  if (late > Nanoseconds{}) losses.add(trace_io::kLateAwake, trace_io::Severity::notice, late);
} catch (...) {  // out of memory: the trace goes without
}

}  // namespace reprise::recorder
