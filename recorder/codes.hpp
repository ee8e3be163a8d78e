// SPDX-License-Identifier: MIT
// MPI's special values as the codes of the trace.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "trace-io/model/procedure.hpp"

namespace reprise::recorder {

inline std::int64_t peer_code(int rank) {
  if (rank >= 0) return trace_io::kFirstPeer + rank;
  if (rank == MPI_PROC_NULL) return trace_io::kProcNull;
  if (rank == MPI_ANY_SOURCE) return trace_io::kAnySource;
  if (rank == MPI_ROOT) return trace_io::kRoot;
  return trace_io::kNoPeer;
}

inline std::int64_t tag_code(int tag) { return tag == MPI_ANY_TAG ? trace_io::kAnyTag : tag; }

}  // namespace reprise::recorder
