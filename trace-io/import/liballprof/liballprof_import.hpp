// SPDX-License-Identifier: MIT
// liballprof's text traces (LogGOPSim, ATLAHS, Schedgen) as a trace of ours.
//
// Form     a file per rank: PROCEDURE:BEGIN:ARGUMENTS:END, times in microseconds, arguments in the order of MPI's C binding; a datatype
//          is NUMBER,SIZE,EXTENT, a communicator HANDLE,RANK,SIZE, a request the address that it was stored at; # comments.
// Given    the files of all ranks in their order, or one of them: the others have its name with another last number.
// Requests are arrays in memory: MPI_Waitall names the first address and how many. They are 8 B apart, or 4 B where some lie so.
// Errors   InputError with file and line: lines without a procedure or with words missing, numbers that are none, ranks that do not exist.
// Losses   communicators other than the world and single ranks (a line does not say who is in them), lists per rank of v-collectives,
//          wildcards (MPI libraries number them differently), tests (a line does not say whether they succeeded): time only.
// Source   Hoefler et al., LogGOPSim, HPDC 2010; liballprof's gencode.py.
#pragma once

#include <string>
#include <vector>

#include "trace-io/import/ranks/import_settings.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

Trace import_liballprof(const std::vector<std::string>& files, const ImportSettings&);

}  // namespace reprise::trace_io
