// SPDX-License-Identifier: MIT
#include "sim/formats/mpip.hpp"

#include <filesystem>

#include "sim/mpip/write.hpp"
#include "sim/validation/record_report.hpp"

namespace reprise::sim {

validation::RunRecord run_record_of(const Answer& answer) {
  std::vector<double> finish_s(static_cast<std::size_t>(answer.trace->header.ranks));
  for (const auto& rank : answer.outcome.ranks)
    finish_s[static_cast<std::size_t>(rank.rank.value)] = rank.finish.value;
  std::vector<validation::ReplayedSite> sites;
  for (const auto& [rank, site, account] : answer.rank_calls)
    sites.push_back({site, rank, {account.in_mpi, account.shortest, account.longest}});
  auto record = validation::record_of(*answer.trace, finish_s, sites, answer.platform);
  record.hosts = answer.hosts;
  return record;
}

std::string mpip_report(const Answer& answer, const std::string& file) {
  const auto folder = file == "-" ? file : std::filesystem::absolute(file).parent_path().string();
  return mpip::write_report(validation::report_of(run_record_of(answer), folder));
}

}  // namespace reprise::sim
