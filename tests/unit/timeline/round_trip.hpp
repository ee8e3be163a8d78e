// SPDX-License-Identifier: MIT
// For tests of timelines: a trace written as OTF2 or Paraver and imported again is the same.
#pragma once

#include <string>

#include "sim/export/timeline/timeline_export.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise {

// The same calls with their fields, call paths and communicators on every rank; between each pair of procedures, and in each, the same times to the
// nanosecond; as many hosts. `name`: of the trace, where a check fails.
void check_round_trip(const trace_io::Trace& before, const std::string& name, sim::TimelineFormat);

}  // namespace reprise
