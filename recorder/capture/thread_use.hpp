// SPDX-License-Identifier: MIT
// What a thread has had since a moment: wall time, CPU time, and time asleep, which is neither computing nor waiting for a core.
//
// Source  CLOCK_MONOTONIC, the thread's CPU clock, and the second number of /proc/self/task/ID/schedstat: how long the thread was ready to
//         run and had no core (Linux, Documentation/scheduler/sched-stats.rst).
// Cost    10 to 20 µs each for the constructor and for asleep(): a file of /proc is read.
#pragma once

#include <sys/types.h>

#include <optional>

#include "trace-io/base/quantity.hpp"

namespace reprise::recorder {

class ThreadUse {
 public:
  ThreadUse() noexcept;  // of the calling thread, from now on
  Nanoseconds wall() const noexcept;
  // None once the thread has ended. Of any thread of the process.
  std::optional<Nanoseconds> cpu() const noexcept;
  // Also none where the kernel does not tell how long a thread waits for a core.
  std::optional<Nanoseconds> asleep() const noexcept;
  Nanoseconds cpu_at_begin() const noexcept { return cpu_; }  // since the thread began

 private:
  pid_t thread_;
  Nanoseconds wall_, cpu_;
  std::optional<Nanoseconds> without_core_;
};

}  // namespace reprise::recorder
