// SPDX-License-Identifier: MIT
// Paraver traces (Extrae's and others': .prv or .prv.gz, with .pcf and .row beside it) as a trace of ours.
//
// Read once, from the first line to the last, all tasks of application 1 at a time. Memory: the folded ranks, and the calls that wait
// for a line (prv_rank.hpp), together at most kMostHeldOfAll.
// Calls      events of the types whose values the .pcf calls "MPI_…"; callers at all levels, or user functions, are the call path.
// Messages   between tasks: a line does not say on which communicator, so all are on MPI_COMM_WORLD, ranks and tags as they are.
// Errors     InputError with file and line: no header, words that are no numbers, tasks that do not exist, a missing .pcf, a file that is
//            cut off within a compressed block. Everything else is a loss: see prv_rank.hpp, and below.
// Source     Paraver trace file format (BSC); Extrae 4; what prv2dim (Dimemas) makes of it.
#pragma once

#include <string>

#include "trace-io/import/ranks/import_settings.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

Trace import_paraver(const std::string& path, const ImportSettings&);

}  // namespace reprise::trace_io
