// SPDX-License-Identifier: MIT
// A window of a predicted run written as a timeline.
//
// Threads   of a rank but the first are left out and counted, as are calls and messages that the formats cannot show.
// Memory    the window, and the format's buffers.
// Errors    InputError: nothing is in the window, or more than it may hold. RunError: what cannot be written.
#pragma once

#include <string>

#include "sim/engine/observe/timeline_window.hpp"
#include "sim/export/timeline/timeline_export.hpp"

namespace reprise::sim {

// How many calls a file of so many bytes can hold, about.
std::uint64_t most_calls(TimelineFormat, std::uint64_t bytes);

// REQUIRES: the replay is over, and the window has kept the calls' fields.
TimelineSummary write_timeline(const trace_io::Trace&, const TimelineWindow&, TimelineFormat,
                               const std::string& to);

}  // namespace reprise::sim
