// SPDX-License-Identifier: MIT
// A timeline as a Paraver trace: NAME.prv, NAME.pcf and NAME.row, for Paraver, Dimemas (prv2dim) and others.
//
// Written   Extrae's events of MPI calls, of collectives' sizes, roots and communicators, of callers and their lines; states; a line of
//           communication for each message whose receive is in the trace. Times in nanoseconds.
// Attached  the fields of every call as events of types 98000000 to 98000003 (trace-io/import/paraver/field_events.hpp):
//           Paraver's own say neither which request is meant nor which communicator a message is on.
// Marked    a call that never ends, of a run that deadlocked, by an event of type kDeadlockEvent.
// States    1, Running, between calls; one of MPI's in each call.
// Order     lines are held until those before them are known. Messages whose receive never comes are left out.
#pragma once

#include <memory>
#include <string>

#include "sim/export/timeline/timed_call.hpp"

namespace reprise::sim {

// Throws InputError where `file` does not end in .prv, RunError where it cannot be written. The trace must outlive the writer.
std::unique_ptr<TimelineWriter> prv_writer(const trace_io::Trace&, const std::string& file,
                                           MessageSource);

}  // namespace reprise::sim
