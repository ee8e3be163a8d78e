// SPDX-License-Identifier: MIT
// A timeline as an OTF2 archive, for Vampir, Scalasca, TraceR and others.
//
// Written   regions for MPI procedures and for the functions of call paths (otf2_function_stack.hpp), each once, messages, requests, collectives with Score-P's sums, communicators,
//           hosts as system tree. Ticks are nanoseconds.
// Attached  each call has its call path with lines as an attribute "reprise:call_path", a calling context. Calls of which OTF2's records do not tell all (lists per rank, wildcards, MPI_PROC_NULL, windows, files, communicators
//           made) have their fields as an attribute "reprise:fields", which other tools pass over.
// Marked    a call that never ends, of a run that deadlocked, by an attribute "reprise:deadlock".
#pragma once

#include <memory>
#include <string>

#include "sim/export/timeline/timed_call.hpp"

namespace reprise::sim {

// Makes FOLDER with the archive traces.otf2 in it. Throws RunError where that cannot be. The trace must outlive the writer.
std::unique_ptr<TimelineWriter> otf2_writer(const trace_io::Trace&, const std::string& folder);

}  // namespace reprise::sim
