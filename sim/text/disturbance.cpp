// SPDX-License-Identifier: MIT
#include "sim/text/disturbance.hpp"

#include "sim/text/numbers.hpp"

namespace reprise {

std::optional<Disturbance> disturbance_of(const trace_io::Trace& trace) {
  const Seconds run = trace.header.elapsed.seconds();
  if (run.value <= 0) return std::nullopt;
  for (const auto& apart : trace.times_apart) {
    if (apart.what != trace_io::TimeApart::preemption) continue;
    const Seconds preempted = apart.most.value.seconds();
    if (preempted / run >= kDisturbed)
      return Disturbance{apart.most.rank, preempted, preempted / run};
  }
  return std::nullopt;
}

std::string describe(const Disturbance& found) {
  return "rank " + std::to_string(found.rank.value) + " was preempted for " +
         seconds_text(found.preempted) +
         formatted(" (%.0f%% of the recorded run time)", 100 * found.share);
}

std::string remedy_of_disturbance(const trace_io::Header& header) {
  return header.clock == trace_io::Clock::cpu
             ? ""
             : "; record again on idle cores, or with --clock cpu, whose compute times other "
               "processes do not prolong";
}

}  // namespace reprise
