// SPDX-License-Identifier: MIT
#include "sim/engine/compute/memory_sharing.hpp"

namespace reprise::sim {

// Whoever asks for less than an equal share of what is left leaves the rest to those that ask for more.
void share_memory(std::vector<MemoryDemand>& demands, double speed, double bandwidth) {
  double left = bandwidth;
  std::size_t unserved = 0;
  for (const MemoryDemand& demand : demands) unserved += demand.stretches;
  for (MemoryDemand& demand : demands) {
    const double share = left / static_cast<double>(unserved);
    const double asked = speed * demand.bytes_per_second;
    demand.is_bound = asked > share;
    demand.speed = demand.is_bound ? share / demand.bytes_per_second : speed;
    left -= static_cast<double>(demand.stretches) * (demand.is_bound ? share : asked);
    unserved -= demand.stretches;
  }
}

}  // namespace reprise::sim
