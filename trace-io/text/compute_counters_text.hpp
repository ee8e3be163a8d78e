// SPDX-License-Identifier: MIT
// Counts of events in the text form (SYNTAX.md): a statement for the events, one for each path between two calls.
#pragma once

#include <string>

#include "trace-io/model/compute_counters.hpp"
#include "trace-io/model/trace.hpp"
#include "trace-io/text/scanner.hpp"

namespace reprise::trace_io {

std::string compute_counters_text(const ComputeCounters&);

// What stands behind "counters" and behind "counted" goes into the trace. REQUIRES: its sites are declared.
void read_counters(Scanner&, Trace&);
void read_counted(Scanner&, Trace&);

}  // namespace reprise::trace_io
