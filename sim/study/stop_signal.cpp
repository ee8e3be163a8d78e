// SPDX-License-Identifier: MIT
#include "sim/study/stop_signal.hpp"

namespace reprise::sim {
namespace {

volatile std::sig_atomic_t signals_so_far = 0;

extern "C" void count_signal(int) { signals_so_far = signals_so_far + 1; }

}  // namespace

StopSignals::StopSignals() {
  signals_so_far = 0;
  struct sigaction counting = {};
  counting.sa_handler = count_signal;  // without SA_RESTART: a wait for children ends
  sigaction(SIGTERM, &counting, &term_);
  sigaction(SIGINT, &counting, &interrupt_);
  sigaction(SIGHUP, &counting, &hangup_);
}

StopSignals::~StopSignals() {
  sigaction(SIGTERM, &term_, nullptr);
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGHUP, &hangup_, nullptr);
}

int StopSignals::count() { return signals_so_far; }

}  // namespace reprise::sim
