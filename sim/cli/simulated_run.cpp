// SPDX-License-Identifier: MIT
#include "sim/cli/simulated_run.hpp"

namespace reprise::cli {

sim::validation::RunRecord simulated_record(const trace_io::Trace& trace,
                                            const sim::Outcome& outcome,
                                            const sim::Observation& observation,
                                            const std::string& platform) {
  std::vector<double> finish_s(static_cast<std::size_t>(trace.header.ranks));
  for (const auto& rank : outcome.ranks)
    finish_s[static_cast<std::size_t>(rank.rank.value)] = rank.finish.value;
  std::vector<sim::validation::ReplayedSite> sites;
  for (const auto& [rank, site, account] : observation.calls())
    sites.push_back({site, rank, {account.in_mpi, account.shortest, account.longest}});
  return sim::validation::record_of(trace, finish_s, sites, platform);
}

}  // namespace reprise::cli
