// SPDX-License-Identifier: MIT
// How far the ranks of a trace come together: the point up to which what every one of them did fits what the others did.
//
// Why     the ranks of a program that died ended at different places. A rank that goes on beyond what its partners did waits for ever
//         when the trace is replayed; cut back to the common point it does not.
// How     a replay without times to speak of in which nobody goes ahead: every send waits for its receive, and no member leaves a
//         collective before all have entered it. What such a replay carries out, any other one does too.
// Cost    that of a replay without fast-forward: 0.2 µs a call.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::sim {

struct CarriedOut {
  std::int32_t rank = 0;
  std::uint32_t thread = 0;
  std::uint64_t events = 0;  // the first ones of its program
  bool is_all = false;       // there are no more
};

// By rank, then thread. Non-blocking collectives that some members never started are taken back where they were started, which may leave
// others ahead: cut and ask again until all of them say is_all.
std::vector<CarriedOut> rehearse(const trace_io::Trace&);

}  // namespace reprise::sim
