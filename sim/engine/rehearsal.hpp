// SPDX-License-Identifier: MIT
// How far the ranks of a trace come together: the point up to which what every one of them did fits what the others did.
//
// Why     the ranks of a program that died ended at different places. A rank that goes on beyond what its partners did waits for ever
//         when the trace is replayed; cut back to the common point it does not.
// How     a replay without times to speak of: no member leaves a collective before all have entered it, completions and matches are those
//         recorded, and a send goes on before it is received, as the recorded one may have done. In the end those that never were
//         received are taken back. What is left is a consistent cut (Chandy and Lamport, ACM TOCS 3(1), 1985) in which no rank waits for
//         what is cut off, neither eagerly nor by rendezvous. Persistent and synchronous sends wait for their receives.
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

// By rank, then thread. What is taken back (sends, and non-blocking collectives that some members never started) may leave others ahead:
// cut and ask again until all of them say is_all.
std::vector<CarriedOut> rehearse(const trace_io::Trace&);

}  // namespace reprise::sim
