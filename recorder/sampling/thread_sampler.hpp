// SPDX-License-Identifier: MIT
// Samples of what a thread executes, by a signal after each period of its CPU time, counted by the compute time that they are of.
//
// Clock    of the thread's CPU time, precise where the system allows it (sample_clock.hpp). No other thread gets its signals.
// Signal   SIGURG. It is ignored by default and has to be expected without a cause by who uses it (out-of-band data of a socket), so that
//          neither a program that resets it nor a child after exec can come to harm. A program that has a handler for it at MPI_Init is not
//          sampled; where one comes later, sampling ends.
// Handler  no lock, no allocation, errno kept. SA_RESTART: system calls go on. Those that never do (poll, select, nanosleep, sem_timedwait) may
//          return EINTR, if the period ends between their entry and their sleep: who sleeps uses no CPU time and gets no signal.
//          Threads with small stacks get an alternate one to take it on, unless they have one, until they end.
// Fork     a child inherits no timer and no event of its own, exec removes them: what is not MPI's process is not sampled.
// Cost     a sample 3 µs beyond what its clock's signal costs; after a call without samples a comparison.
#pragma once

#include <signal.h>
#include <ucontext.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <utility>

#include "recorder/sampling/interrupted_stack.hpp"
#include "recorder/sampling/sample_clock.hpp"
#include "recorder/sampling/sample_table.hpp"
#include "trace-io/model/event.hpp"

namespace reprise::recorder {

inline constexpr int kSamplingSignal = SIGURG;

// Takes the signal for this process; false where the program uses it. Sampling is off until it has been taken.
bool take_sampling_signal() noexcept;
// Whether it is still ours.
bool has_sampling_signal() noexcept;
// Puts back what was there before, if it is still ours.
void release_sampling_signal() noexcept;

class ThreadSampler {
 public:
  // How the handler knows what the thread is at: a place that is null outside of MPI, and a flag that is set while the recorder itself works.
  struct Activity {
    const void* const* inside;
    const std::atomic<bool>* is_recording;
    StackBounds
        own_code{};  // addresses of the recorder itself; none: it is not told from the program
  };
  // BEFORE: the call that the thread made last.
  ThreadSampler(Activity activity, trace_io::SiteId before) : activity_(activity), last_(before) {}
  ~ThreadSampler() { stop(); }
  ThreadSampler(const ThreadSampler&) = delete;
  ThreadSampler& operator=(const ThreadSampler&) = delete;

  // On the thread that is to be sampled: RATE a second of its CPU time. False where the system has no clock for it.
  bool start(std::uint32_t rate) noexcept;
  // From any thread. Signals on their way are without effect.
  void stop() noexcept;
  // On the thread itself, which ends: the same, and its alternate stack is given back.
  void leave_thread() noexcept;
  // Likewise, and the tables' room: what they have of calls made stays. May throw std::bad_alloc.
  void settle();

  // The thread has called `site`: what was met since the call before is of the time between the two, or inside. May throw std::bad_alloc.
  void called(trace_io::SiteId site) {
    if (computing_.has_any() || communicating_.has_any()) [[unlikely]]
      assign(site);
    last_ = site;
  }
  // What was met since the last call is of no recorded time.
  void discard() noexcept;

  using Path = std::pair<trace_io::SiteId, trace_io::SiteId>;  // the call after, the call before
  struct Counts {
    std::map<Path, std::map<std::uint32_t, std::uint64_t>> paths;  // by number of the stack
    const SampleTable* stacks = nullptr;
  };
  Counts computing() const { return {compute_counts_, &computing_}; }
  Counts communicating() const { return {communicate_counts_, &communicating_}; }
  std::uint64_t own() const { return own_.load(std::memory_order_relaxed); }
  std::uint64_t left_out() const { return left_out_.load(std::memory_order_relaxed); }

  bool is_precise() const { return is_precise_; }  // whether samples were taken when they were due

  void on_signal(const siginfo_t&, const ucontext_t&) noexcept;  // by the handler only

 private:
  static constexpr std::size_t kMostFrames = 64;
  static constexpr std::size_t kMostCounts = std::size_t{1} << 17U;

  using Paths = decltype(Counts::paths);
  void assign(trace_io::SiteId);
  void assign(SampleTable&, Path, Paths&);

  const Activity activity_;
  StackBounds bounds_;
  SampleClock clock_;
  SampleTable computing_, communicating_;
  trace_io::SiteId last_;
  Paths compute_counts_, communicate_counts_;
  std::size_t counts_ = 0;
  void* alternate_stack_ = nullptr;  // that the thread got; null: none
  bool is_precise_ = false;
  std::atomic<bool> is_busy_{false};
  std::atomic<std::uint64_t> own_{0}, left_out_{0};
};

}  // namespace reprise::recorder
