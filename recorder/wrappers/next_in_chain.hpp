// SPDX-License-Identifier: MIT
// Where the program's calls go on to: PMPI_*, or another tool behind the recorder that wraps MPI as well (mpiP, Darshan, a site's own), whether
// preloaded behind it or linked to the program. Past such a tool calls must not go: of those that the recorder does not wrap the tool sees
// its share, and it was never told of MPI_Init (mpiP 3.5 crashes in MPI_Dims_create then).
#pragma once

#include <mpi.h>

namespace reprise::recorder {

// Of C calls, by their PMPI_ procedure. Set once, before MPI_Init.
template <auto procedure>
inline constinit auto next_in_chain = procedure;

// Before MPI_Init. With a tool all C calls go on to what comes next.
void link_chain() noexcept;
// Says that there is a tool, and which.
void warn_of_tool_behind() noexcept;

// Of Fortran's procedure NAME that of the tool, where it has one; else null.
void* tool_procedure(const char* name) noexcept;

}  // namespace reprise::recorder
