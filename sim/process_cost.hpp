// SPDX-License-Identifier: MIT
// What this process, and those that it has started, have cost so far. Not deterministic.
#pragma once

#include <sys/resource.h>

#include "trace-io/base/quantity.hpp"

namespace reprise::sim {

struct ProcessCost {
  Seconds cpu_time;  // user and system
  Bytes peak_memory;
};

ProcessCost cost_of(const rusage&);
// Of this process and of its children that have ended: the time of all, the memory of the largest.
ProcessCost process_cost();
Seconds cpu_time_so_far();         // of this process, to the nanosecond
Seconds cpu_time_with_children();  // those that have ended

}  // namespace reprise::sim
