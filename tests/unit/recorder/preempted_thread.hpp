// SPDX-License-Identifier: MIT
// A thread whose clock is asked, with times that a test makes up.
#pragma once

#include <cstdint>

#include "recorder/capture/clock.hpp"

namespace reprise::recorder::testing {

// A thread and its kernel.
class PreemptedThread {
 public:
  explicit PreemptedThread(bool cpu_time) : clock(RecordingClock::stopped(cpu_time)) {
    time.detector.attach(area);
    latest_ = clock.start(time);
  }
  void run(std::uint64_t nanoseconds) { clock.advance(nanoseconds); }
  void lose_core(std::uint64_t nanoseconds) {
    clock.advance(nanoseconds, {0, 0, 1});
    kernel_looks();
  }
  void wait(std::uint64_t nanoseconds) {
    clock.advance(nanoseconds, {0, 1, 0});
    kernel_looks();
  }
  void get_signal() { kernel_looks(); }
  // Time that passes, and that the kernel does not call the thread's.
  void lose_unseen(std::uint64_t nanoseconds) { clock.advance(nanoseconds, {}); }

  // How long the interval was that ends now.
  std::int64_t compute() { return end(Interval::compute); }
  std::int64_t communicate() { return end(Interval::communicate); }
  std::int64_t bookkeeping() { return end(Interval::bookkeeping); }

  RseqArea area{.cpu_id = 0};
  RecordingClock clock;
  ThreadTime time;

 private:
  void kernel_looks() { area.rseq_cs = 0; }
  std::int64_t end(Interval interval) {
    const std::uint64_t before = latest_;
    latest_ = clock.now(time, interval);
    return clock.between(before, latest_).value;
  }
  std::uint64_t latest_;
};

}  // namespace reprise::recorder::testing
