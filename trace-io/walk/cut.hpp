// SPDX-License-Identifier: MIT
// A rank's program cut short: its first events, as if the rank had ended there.
//
// How     a loop under way where the program is cut keeps the passes that are complete and is left behind the last node of its body that
//         is executed (Loop::exits); what follows goes. Fields keep the values that nobody reads any more, and durations those of the
//         whole recording: which of them belong to the events kept is not known, and their mean is the best guess.
// Cost    O(events kept); runs of passes over a body of calls alone are counted as one.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Returns how many events there are then: `events`, or all of them where the program has no more. REQUIRES: the program of one rank;
// check_structure() has found nothing.
std::uint64_t cut_program(std::vector<Node>& program, std::uint64_t events);

}  // namespace reprise::trace_io
