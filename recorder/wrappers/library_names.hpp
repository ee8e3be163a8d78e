// SPDX-License-Identifier: MIT
// What the MPI library calls itself and the processor that a rank runs on. No communication.
#pragma once

#include <string>

namespace reprise::recorder {

// "Open MPI 4.1.4", "MPICH 4.0.2", or the library's own first words.
std::string mpi_library();
std::string host_name();

}  // namespace reprise::recorder
