// SPDX-License-Identifier: MIT
// Which of nested loops has its iterations told: all ranks' times decide, so that those near the border do not choose each for itself
// (trace-io/compress/loop_iterations.hpp).
#pragma once

#include <mpi.h>

namespace reprise::recorder {

class Recording;

// Collective, one small reduction; nothing where no iterations are recorded. Where it fails each rank chooses alone.
void vote_on_iterations(Recording&, MPI_Comm) noexcept;

}  // namespace reprise::recorder
