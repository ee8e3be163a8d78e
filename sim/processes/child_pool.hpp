// SPDX-License-Identifier: MIT
// Some work in each of several child processes at a time: it may crash, or take all memory, and only its own result is lost.
//
// Children are forked, so they have what the parent has loaded, without a copy. They ignore SIGINT, SIGTERM and SIGHUP, which are for the
// parent to act on, leave no core files, and die with the parent.
// Cost    measured in tests/bench/study: 0.3 to 0.5 ms of CPU time a child.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
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
  bool was_killed = false;  // from outside: by SIGKILL, which is not one of its limits
  Seconds cpu_time;
  Bytes peak_memory;
};

class ChildPool {
 public:
  // Throws RunError from start() where no process can be made.
  ChildPool(std::size_t most, const RunLimits& limits) : most_(most), limits_(limits) {}
  ~ChildPool() { kill_all(); }
  ChildPool(const ChildPool&) = delete;
  ChildPool& operator=(const ChildPool&) = delete;

  bool is_full() const { return children_.size() >= most_; }
  bool is_empty() const { return children_.empty(); }
  std::size_t size() const { return children_.size(); }

  // REQUIRES: !is_full(). WORK runs in the child; what it throws ends the child.
  void start(std::size_t id, const std::function<std::string()>& work);
  // The next child that has ended; none where none has within the time, or a signal came. A child that has been stopped for longer
  // than its limit of CPU time, which does not run on then, is ended; asked for at every call.
  std::optional<ChildEnd> next(int timeout_ms);
  void kill_all();

 private:
  struct Child {
    std::size_t id;
    pid_t process;
    int channel;  // its result comes here
    std::string received;
    std::optional<std::chrono::steady_clock::time_point> stopped_since;
  };
  ChildEnd end_of(Child&) const;
  std::optional<ChildEnd> end_stopped();
  ChildEnd take(std::size_t place);

  std::size_t most_;
  RunLimits limits_;
  std::vector<Child> children_;
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
