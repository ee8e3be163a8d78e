// SPDX-License-Identifier: MIT
// SIGTERM, SIGINT and SIGHUP as a wish to stop: the first asks to finish what runs, a second one not to.
#pragma once

#include <csignal>

namespace reprise::sim {

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
