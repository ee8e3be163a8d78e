// SPDX-License-Identifier: MIT
// CPU time of the process, of all its threads, since the recorder was loaded: what the program computes before MPI_Init. Neither the dynamic linker's is in
// it, nor that of a shell that became the program by exec.
//
// Not in it   time asleep, waiting for files. A child of fork() counts from its own beginning.
// Cost        a system call, and one when the recorder is loaded.
#pragma once

#include "trace-io/base/quantity.hpp"

namespace reprise::recorder {

Nanoseconds cpu_since_load() noexcept;

}  // namespace reprise::recorder
