// SPDX-License-Identifier: MIT
#include "sim/processes/usable_cores.hpp"

#include <sched.h>

#include <algorithm>

namespace reprise::sim {

std::size_t usable_cores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
  return static_cast<std::size_t>(std::max(1, CPU_COUNT(&cores)));
}

}  // namespace reprise::sim
