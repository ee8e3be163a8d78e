// SPDX-License-Identifier: MIT
// The first lines of a Paraver trace: duration, nodes, applications with their tasks, communicators.
//
// Form     #Paraver (DATE):DURATION[_ns]:NODES(CPUS,…):APPLICATIONS:TASKS(THREADS:NODE,…)[,COMMUNICATORS]…, then a line
//          c:APPLICATION:NUMBER:TASKS:TASK:… for each communicator. Times are in microseconds where the duration has no unit.
// Source   Paraver trace file format, BSC; Extrae 4, src/merger/paraver/paraver_generator.c.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "trace-io/import/paraver/prv_reader.hpp"
#include "trace-io/import/ranks/imported_job.hpp"

namespace reprise::trace_io {

struct PrvHeader {
  std::int64_t duration = 0;  // ns
  std::int64_t tick = 1;      // ns of the trace's unit of time
  struct Task {
    std::int32_t threads = 1, node = 0;
  };
  std::vector<std::vector<Task>> applications;
};

// Reads the first line. Throws InputError where it is none of Paraver's.
PrvHeader read_prv_header(PrvReader&);

// A line "c:…" or "i:…" as a communicator of application 1, added to the job; its number in the file maps to the job's. Those of
// other applications, and of tasks that do not exist, are passed over: `passed_over` counts them.
void read_prv_communicator(PrvReader&, ImportedJob&,
                           std::unordered_map<std::int64_t, std::uint32_t>& numbers,
                           std::uint64_t& passed_over);

}  // namespace reprise::trace_io
