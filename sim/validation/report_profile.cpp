// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sim/validation/profile.hpp"
#include "sim/validation/program_name.hpp"

namespace reprise::sim::validation {
namespace {

constexpr std::size_t kMostAggregateRows = 20;

Measured measured(const mpip::Printed& printed, double scale = 1) {
  return {printed.value * scale, printed.half_step * scale};
}
Measured times(const mpip::Printed& printed, std::uint64_t count, double scale = 1) {
  return measured(printed, scale * static_cast<double>(count));
}

std::string without_arguments(const std::string& command) {
  return command.substr(0, command.find(' '));
}

SiteKey key_of(const mpip::Report& report, const std::string& operation, std::int32_t site) {
  const auto found = report.sites.find(site);
  if (found == report.sites.end() || found->second.frames.empty() ||
      !found->second.frames.front().resolved)
    return {operation, ""};
  const auto& frame = found->second.frames.front();
  return {operation, base_name(without_arguments(frame.file)) + ":" + std::to_string(frame.line)};
}

// mpiP's report threshold (-t) leaves rank rows out: where the ranks' counts do not add up to the row of all, only that is used. Where
// no row can be missing, or the ranks have more calls than all of them, the report contradicts itself.
void add_rank_rows(const mpip::Report& report, Profile& profile) {
  struct Site {
    std::map<RankNumber, Calls> ranks;
    Calls all;
  };
  std::map<std::pair<std::string, std::int32_t>, Site> rows;
  for (const auto& row : report.site_time) {
    auto& site = rows[{row.operation, row.site}];
    Calls calls;
    calls.calls = row.count;
    calls.time_s = times(row.mean_ms, row.count, 1e-3);
    (row.rank == mpip::kAllRanks ? site.all : site.ranks[row.rank]) += calls;
  }
  const auto add_sizes = [&](const std::vector<mpip::SiteSize>& sizes) {
    for (const auto& row : sizes) {
      auto& site = rows[{row.operation, row.site}];
      // The mean has as many digits as the sum and is exact where all calls are alike.
      const bool alike = row.max.value == row.min.value && row.max.value < 10000;
      const auto bytes =
          alike ? Measured{row.max.value * static_cast<double>(row.count), 0} : measured(row.sum);
      (row.rank == mpip::kAllRanks ? site.all : site.ranks[row.rank]).bytes += bytes;
    }
  };
  add_sizes(report.site_sent);
  add_sizes(report.site_io);
  add_sizes(report.site_rma);
  for (const auto& [name, site] : rows) {
    auto& into = profile.sites[key_of(report, name.first, name.second)];
    std::uint64_t counted = 0;
    for (const auto& [rank, calls] : site.ranks) counted += calls.calls;
    const bool is_complete = site.ranks.size() == static_cast<std::size_t>(report.ranks());
    if (site.all.calls > 0 &&
        (counted > site.all.calls || (is_complete && counted != site.all.calls)))
      profile.contradictions.push_back(
          {key_of(report, name.first, name.second), counted, site.all.calls});
    if (counted == site.all.calls || site.all.calls == 0)
      for (const auto& [rank, calls] : site.ranks) into[rank] += calls;
    else
      into[mpip::kAllRanks] += site.all;
  }
}

void add_aggregates(const mpip::Report& report, Profile& profile) {
  for (const auto& row : report.aggregate_time) {
    Calls calls;
    calls.calls = row.count;
    calls.time_s = measured(row.time_ms, 1e-3);
    profile.sites[key_of(report, row.operation, row.site)][mpip::kAllRanks] += calls;
  }
  for (const auto* sizes : {&report.aggregate_sent, &report.aggregate_io, &report.aggregate_rma})
    for (const auto& row : *sizes) {
      auto& calls = profile.sites[key_of(report, row.operation, row.site)][mpip::kAllRanks];
      calls.bytes += measured(row.total);
    }
  profile.is_cut_to_twenty = report.aggregate_time.size() >= kMostAggregateRows;
}

}  // namespace

Calls& Calls::operator+=(const Calls& other) {
  calls += other.calls;
  bytes += other.bytes;
  bytes_known = bytes_known && other.bytes_known;
  time_s += other.time_s;
  return *this;
}

Profile profile_of(const mpip::Report& report, const std::string& path) {
  Profile profile;
  profile.source = path;
  profile.command = without_arguments(report.command);
  profile.program = base_name(profile.command);
  profile.ranks = report.ranks();
  for (const auto& [rank, task] : report.tasks)
    profile.times.push_back({measured(task.app_s), measured(task.mpi_s)});
  if (report.all_tasks)
    profile.all_ranks = {measured(report.all_tasks->app_s), measured(report.all_tasks->mpi_s)};
  if (report.task_statistics) {
    constexpr double kHalfMicrosecond = 0.5e-6;  // printed with six decimals
    profile.all_ranks = {{report.task_statistics->aggregate.app_s, kHalfMicrosecond},
                         {report.task_statistics->aggregate.mpi_s, kHalfMicrosecond}};
  }
  if (report.site_time.empty())
    add_aggregates(report, profile);
  else
    add_rank_rows(report, profile);
  return profile;
}

}  // namespace reprise::sim::validation
