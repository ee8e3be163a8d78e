// SPDX-License-Identifier: MIT
// Which programs a job consists of (`mpirun -n 2 A : -n 2 B`), by the outermost callers of MPI_Init.
#pragma once

#include <string>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

struct MainProgram {
  std::string path;  // of the executable
  RankList ranks;
};
// Ascending by lowest rank; empty where the trace does not tell several apart: of one program, or without call paths. Cost: O(nodes of the outermost
// level).
std::vector<MainProgram> main_programs(const Trace&);

}  // namespace reprise::trace_io
