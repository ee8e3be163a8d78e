// SPDX-License-Identifier: MIT
// Some work in each of several child processes at a time: it may crash, or take all memory, and only its own result is lost.
//
// Children are forked, so they have what the parent has loaded, without a copy. They ignore SIGINT, SIGTERM and SIGHUP, which are for the
// parent to act on, leave no core files, and die with the parent.
// Kept    a child of a pool that knows what its work is does one piece of it after the other, until it has computed for kKeptFor. Where it
//         dies, or runs out of memory, at a later piece than its first, that piece is done once more in a child of its own: whatever
//         earlier pieces have left behind, each has the result, or the reason, that it would have had alone.
// Cost    measured in tests/bench/study: 0.3 to 0.5 ms of CPU time a child, and the pages that it writes to; 0.02 ms a piece of one that is kept.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/processes/run_limits.hpp"

namespace reprise::sim {

struct ChildEnd {
  std::size_t id = 0;
  std::string result;  // what the work returned; empty where it did not come to its end
  std::string reason;  // why not: "killed by signal 11 (Segmentation fault)"; empty where it did
  bool was_killed = false;     // from outside: by SIGKILL, which is not one of its limits
  bool took_too_long = false;  // for its limit
  Seconds cpu_time;
  Bytes peak_memory;  // of the child, with the pieces that it did before
};

class ChildPool {
 public:
  static constexpr Seconds kKeptFor{0.05};  // of CPU time
  using Work = std::function<std::string(std::size_t id)>;

  // WORK: what children that are kept do. Throws RunError from start() where no process can be made.
  ChildPool(std::size_t most, const RunLimits& limits, Work work = {})
      : most_(most), limits_(limits), work_(std::move(work)) {}
  ~ChildPool() { kill_all(); }
  ChildPool(const ChildPool&) = delete;
  ChildPool& operator=(const ChildPool&) = delete;

  bool is_full() const { return busy_ >= most_; }
  bool is_empty() const { return busy_ == 0; }

  // REQUIRES: !is_full(). WORK runs in a child of its own; what it throws ends the child.
  void start(std::size_t id, const std::function<std::string()>& work);
  // REQUIRES: likewise, and the pool knows its work. In a child that is kept, where one has nothing to do, else in a new one.
  void start(std::size_t id);
  // The next piece of work that is over; none where none is within the time, or a signal came. A child that has been stopped for longer
  // than its limit of CPU time, which does not run on then, is ended; asked for at every call.
  std::optional<ChildEnd> next(int timeout_ms);
  void kill_all();

 private:
  struct Child {
    std::size_t id;
    pid_t process;
    int channel;  // its result comes here; what a kept one is to do goes out
    bool is_kept;
    bool is_busy = true;
    std::size_t pieces = 0;  // done before
    std::string received;
    std::optional<std::chrono::steady_clock::time_point> stopped_since;
  };
  void make_child(std::size_t id, const std::function<void(int channel)>& work, bool is_kept);
  void start_new(std::size_t id);
  bool hand_to_idle(std::size_t id);
  std::optional<ChildEnd> end_of_piece(std::size_t place);
  std::optional<ChildEnd> end_of_child(std::size_t place);
  std::optional<ChildEnd> end_stopped();
  ChildEnd take(std::size_t place);
  ChildEnd end_of(Child&) const;

  std::size_t most_;
  RunLimits limits_;
  Work work_;
  std::size_t busy_ = 0;
  std::vector<Child> children_;  // those with nothing to do as well
};

// SIGTERM, SIGINT and SIGHUP as a wish to stop: the first asks to finish what runs, a second one not to.
// While it lives the signals are counted instead of ending the process. One at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  static int count();

 private:
  struct sigaction term_, interrupt_, hangup_;
};

}  // namespace reprise::sim
