// SPDX-License-Identifier: MIT
#include "sim/process_cost.hpp"

#include <algorithm>
#include <ctime>

namespace reprise::sim {
namespace {

ProcessCost cost_so_far(int who) {
  rusage used{};
  getrusage(who, &used);
  return cost_of(used);
}

}  // namespace

ProcessCost cost_of(const rusage& used) {
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return {Seconds{seconds(used.ru_utime) + seconds(used.ru_stime)},
          Bytes{static_cast<std::uint64_t>(used.ru_maxrss) * 1024}};
}

ProcessCost process_cost() {
  const ProcessCost own = cost_so_far(RUSAGE_SELF), others = cost_so_far(RUSAGE_CHILDREN);
  return {own.cpu_time + others.cpu_time, std::max(own.peak_memory, others.peak_memory)};
}

Seconds cpu_time_so_far() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return Seconds{static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9};
}

Seconds cpu_time_with_children() { return process_cost().cpu_time; }

}  // namespace reprise::sim
