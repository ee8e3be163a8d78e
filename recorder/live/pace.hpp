// SPDX-License-Identifier: MIT
// Waiting out the time that the program computed between two MPI calls.
//
// wall   until that much time has passed since the end of the call before: nanosleep for most of it, so that other ranks of an
//        oversubscribed node can run, then a spin.
// cpu    spinning until this thread has used that much processor time since then.
// What walking the trace costs lies within the time that is waited out, not on top of it.
// Not seen by anybody who watches MPI. Cost: none beyond the time asked for; a tenth of a microsecond where it has passed already.
#pragma once

#include <cstdint>

#include "trace-io/model/trace.hpp"

namespace reprise::live {

class Pace {
 public:
  explicit Pace(trace_io::Clock clock) : clock_(clock) { mark(); }

  void mark();  // an MPI call has just returned
  void wait_out(double nanoseconds);
  void leave_out(std::int64_t nanoseconds) {
    owed_ -= static_cast<double>(nanoseconds);
  }  // of the waits to come

 private:
  std::int64_t now() const;  // ns

  trace_io::Clock clock_;
  std::int64_t mark_ = 0;
  double owed_ = 0;  // fractions of a nanosecond, and what earlier waits were too long by
};

}  // namespace reprise::live
