// SPDX-License-Identifier: MIT
#include "sim/experiment/free_combining.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/text/numbers.hpp"
#include "trace-io/check/summary.hpp"

namespace reprise::sim {
namespace {

// "MPI_Iallreduce" as well as "MPI_Allreduce".
bool combines(std::string_view procedure) {
  constexpr std::array<std::string_view, 6> kReductions{
      "allreduce", "reduce", "reduce_scatter", "reduce_scatter_block", "scan", "exscan"};
  if (!procedure.starts_with("MPI_")) return false;
  procedure.remove_prefix(4);
  if (procedure.ends_with("_init")) procedure.remove_suffix(5);
  const auto is_named = [&](std::string_view name) {
    return std::ranges::any_of(kReductions, [&](std::string_view one) {
      return name.size() == one.size() && (name[0] | 0x20) == one[0] &&
             name.substr(1) == one.substr(1);
    });
  };
  return is_named(procedure) || (procedure.starts_with("I") && is_named(procedure.substr(1)));
}

}  // namespace

std::string describe_free_combining(const trace_io::Trace& trace,
                                    const platforms::Platform& platform, const Outcome& outcome) {
  if (platform.reduction_bandwidth || outcome.predicted_time.value <= 0) return "";
  double bytes = 0;
  for (const auto& procedure : trace_io::summarise(trace).procedures)
    if (combines(procedure.name)) bytes += static_cast<double>(procedure.bytes_sent);
  const Seconds each{bytes / trace.header.ranks / kCombining.value};
  const double share = each / outcome.predicted_time;
  if (share < kCombiningNoticed) return "";
  return "combining the operands of reductions takes no time, because " + platform.name +
         " has no reduction_bandwidth: combining each call's data once would take " +
         duration_text(each) + formatted(" a rank at 5 GB/s, %.2g%% of the run ", 100 * share) +
         "(--set /mpi/reduction_bandwidth=\"5 GB/s\" includes it)";
}

}  // namespace reprise::sim
