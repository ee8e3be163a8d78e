// SPDX-License-Identifier: MIT
// How the ranks that compute on a node share its memory bandwidth.
//
// Model   a roofline (Williams, Waterman, Patterson, "Roofline: An Insightful Visual Performance Model for Multicore Architectures", CACM
//         52(4), 2009) with one roof for all of the node: a stretch that asks for d bytes a second at full speed gets min(s·d, x), where s
//         is the speed that the cores allow and x the max-min fair share of the bandwidth M: Σ min(s·d_i, x) = M, or all that is asked.
//         For k stretches alike the speed is min(s, M / (k·d)).
// Cost    O(demands that differ).
#pragma once

#include <cstddef>
#include <vector>

namespace reprise::sim {

// Stretches of computing that ask for the same.
struct MemoryDemand {
  double bytes_per_second = 0;  // of one of them, at full speed
  std::size_t stretches = 0;
  double speed = 1;       // what share_memory() gives to each
  bool is_bound = false;  // by the memory
};

// DEMANDS: ascending. SPEED: what the cores allow, 0 < SPEED <= 1. BANDWIDTH: of the node, bytes a second, above zero.
void share_memory(std::vector<MemoryDemand>& demands, double speed, double bandwidth);

}  // namespace reprise::sim
