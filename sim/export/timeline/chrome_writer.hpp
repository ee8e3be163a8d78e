// SPDX-License-Identifier: MIT
// A timeline as JSON of Chrome's trace event format, for Perfetto (ui.perfetto.dev), chrome://tracing, speedscope and others.
//
// Written   a thread for each rank with a slice for each call ("X"), in microseconds with three decimals; its call site and fields as arguments.
//           Messages as flows ("s", "f"): from the call that sends to the one in which the receiver has the message, or the next one that it makes.
// Marked    a call that never ends, of a run that deadlocked: category "deadlock", "never_ends" among its arguments.
// Memory    16 bytes a call, and a message each.
#pragma once

#include <memory>
#include <string>

#include "sim/export/timeline/timed_call.hpp"

namespace reprise::sim {

// Throws RunError where the file cannot be written. The trace must outlive the writer.
std::unique_ptr<TimelineWriter> chrome_writer(const trace_io::Trace&, const std::string& file,
                                              MessageSource);

}  // namespace reprise::sim
