// SPDX-License-Identifier: MIT
#include "sim/validation/mpip_rules.hpp"
#include "sim/validation/profile.hpp"
#include "sim/validation/program_name.hpp"

namespace reprise::sim::validation {

Profile profile_of(const RunRecord& record, const std::string& source) {
  Profile profile;
  profile.source = source;
  profile.program = base_name(record.command);
  profile.command = record.command;
  profile.ranks = record.ranks;
  profile.times_mean_nothing = record.times_mean_nothing;
  profile.oversubscribed = record.oversubscribed;
  profile.recorder_s = record.recorder_s;
  profile.is_replay = record.is_replay;
  profile.nested = record.nested;
  for (std::size_t rank = 0; rank < record.app_s.size(); ++rank)
    profile.times.push_back({{record.app_s[rank] + record.preempted_s[rank], 0}, {}});
  for (const auto& [place, ranks] : record.sites) {
    const bool is_timed = mpip_operation(place.operation).has_value();
    auto& into = profile.sites[{place.operation, place.text()}];
    for (const auto& [rank, one] : ranks) {
      Calls calls;
      calls.calls = one.calls;
      calls.bytes.value = one.bytes.total;
      calls.bytes_known = one.bytes_known;
      calls.time_s.value = one.time_s.total;
      into[rank] += calls;
      if (is_timed) profile.times[static_cast<std::size_t>(rank)].mpi_s.value += one.time_s.total;
    }
  }
  for (const auto& rank : profile.times) {
    profile.all_ranks.app_s += rank.app_s;
    profile.all_ranks.mpi_s += rank.mpi_s;
  }
  return profile;
}

}  // namespace reprise::sim::validation
