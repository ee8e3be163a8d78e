// SPDX-License-Identifier: MIT
// What the MPI library calls itself and the processor that a rank runs on. No communication.
#pragma once

#include <mpi.h>

#include <string>

namespace reprise::recorder {

#if defined(OPEN_MPI)
inline constexpr char kCompiledFor[] = "Open MPI";
#else
inline constexpr char kCompiledFor[] = "MPICH";
#endif

// "Open MPI 4.1.4", "MPICH 4.0.2", or the library's own first words.
std::string mpi_library();
std::string host_name();

}  // namespace reprise::recorder
