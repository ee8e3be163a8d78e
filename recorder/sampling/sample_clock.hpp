// SPDX-License-Identifier: MIT
// Sends a thread a signal after each period of its CPU time.
//
// Precise  a software event of perf_event_open(2): a high-resolution timer that runs while the thread does. Periods are drawn anew now and then, uniform from a half to one and
//          a half of the mean, so that no program keeps step with them. Where the kernel's own time may not be sampled (perf_event_paranoid 2) it is not.
// Ticks    where perf_event is not allowed (paranoid 3, containers): a POSIX timer on the thread's CPU clock, which the kernel looks at when one of its ticks
//          finds the thread running. What was missed is counted by the next signal. Ticks are also when threads are switched: where several share a
//          core, a thread that computes for less than a tick at a time after waiting is seldom found at it.
// Cost     of a signal in a virtual machine about 27 µs, of which 15 are the timer's interrupt; a new period 12. Without virtualisation a few µs.
// Fork     a child that ends its copy leaves the parent's event and timer alone.
// Files    the event's descriptor is closed by exec and lies above those that programs get. A program that closes all it finds ends its sampling;
//          a descriptor that has become another file's is left alone.
#pragma once

#include <signal.h>

#include <atomic>
#include <cstdint>
#include <ctime>

namespace reprise::recorder {

class SampleClock {
 public:
  ~SampleClock() { stop(); }
  // For the calling thread: `rate` signals a second of its CPU time. False where the system has neither.
  bool start(std::uint32_t rate, int signal) noexcept;
  // From any thread.
  void stop() noexcept;
  bool is_precise() const { return event_ >= 0; }
  // By the signal's handler: how many periods it stands for, 0 if it is not this clock's; the next period begins.
  std::uint32_t signalled(const siginfo_t&) noexcept;

 private:
  bool start_event(bool with_kernel, int signal) noexcept;
  bool start_timer(int signal) noexcept;
  bool is_event(int descriptor) const noexcept;

  std::uint64_t period_ = 0;  // ns
  std::uint64_t event_id_ = 0;
  int process_ = 0;
  std::uint32_t random_ = 1, until_new_period_ = 0;
  std::atomic<int> event_{-1};  // descriptor
  std::atomic<bool> has_timer_{false};
  timer_t timer_{};
};

}  // namespace reprise::recorder
