// SPDX-License-Identifier: MIT
// How far a study is: on a terminal a line that renews itself, elsewhere a line every 30 s. Time left from the pace so far.
#pragma once

#include <cstdio>
#include <string>

#include "trace-io/base/quantity.hpp"

namespace reprise::sim {

// "120 of 400 simulations, 41 a second, 7 s left"; before the first has ended without pace and time left. NOW_DONE: of DONE those that
// this process did, in ELAPSED.
std::string progress_text(std::size_t done, std::size_t total, std::size_t now_done,
                          Seconds elapsed);

class Progress {
 public:
  // The times are of a steady clock; TO is usually stderr.
  Progress(std::FILE* to, bool is_terminal, Seconds start)
      : to_(to), is_terminal_(is_terminal), start_(start), last_(start) {}

  // Writes where it is time to.
  void show(std::size_t done, std::size_t total, std::size_t now_done, Seconds now);
  void clear();  // takes the terminal's line away

 private:
  std::FILE* to_;
  bool is_terminal_, has_line_ = false;
  Seconds start_, last_;
};

}  // namespace reprise::sim
