// SPDX-License-Identifier: MIT
// How far long work is, on stderr: on a terminal one line that is written anew in place, elsewhere a line of its own every 30 s.
//
// When    nothing in the first two seconds; then on a terminal every 0.2 s. The clock is asked by is_due() alone.
// Child   a process that was forked while the line was there writes nothing: the parent has the line.
// Errors  none: a line that cannot be written (a full disk, a pipe without a reader) is left out.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <functional>
#include <string>

#include "trace-io/base/quantity.hpp"

namespace reprise {

class ProgressLine {
 public:
  using Clock = std::function<Seconds()>;  // steady; from any origin
  enum class Place : std::uint8_t { none, terminal, log };

  // TO is usually stderr. With Place::none nothing is ever due.
  ProgressLine(std::FILE* to, Place place, Clock clock);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool is_due() const;
  void show(const std::string& text);  // where it is due
  void clear();                        // takes the terminal's line away
  Seconds elapsed() const { return clock_() - start_; }

 private:
  void write(const std::string& text) const;

  std::FILE* to_;
  Place place_;
  Clock clock_;
  Seconds start_, next_;
  pid_t process_;
  bool has_line_ = false;
};

// Of the process's own.
Seconds steady_now();
// Where progress goes: nowhere if QUIET; a terminal is one that can move its cursor (TERM is not "dumb").
ProgressLine::Place progress_place(bool quiet);

// "42 s", "3 min", "2 h 5 min": rounded up.
std::string time_left_text(Seconds);
// "37 %, 12 s left" of work of which PART, 0 … 1, is done; below a thousandth without the time.
std::string part_text(double part, Seconds elapsed);

}  // namespace reprise
