// SPDX-License-Identifier: MIT
#include "sim/text/disturbance.hpp"

#include <algorithm>

#include "sim/text/numbers.hpp"
#include "trace-io/model/unseen_time.hpp"

namespace reprise {
namespace {

// The rank that was preempted for longest of those that were disturbed.
std::optional<Disturbance> longest(const trace_io::PreemptionRecord& record, Seconds run) {
  std::optional<Disturbance> found;
  for (const trace_io::RankPreemptions& row : record.ranks) {
    const Seconds preempted = row.time.seconds(), computing = row.compute.seconds();
    if (preempted < run * kDisturbed && (preempted < computing || preempted < run * kNoticed))
      continue;
    if (!found || preempted > found->preempted)
      found = Disturbance{row.rank, preempted, preempted / run, computing, std::nullopt};
  }
  return found;
}

std::optional<Disturbance> disturbed(const trace_io::Trace& trace) {
  const Seconds run = trace.header.elapsed.seconds();
  if (run.value <= 0) return std::nullopt;
  if (trace.preemptions && !trace.preemptions->ranks.empty())
    return longest(*trace.preemptions, run);
  for (const auto& apart : trace.times_apart) {
    if (apart.what != trace_io::TimeApart::preemption) continue;
    const Seconds preempted = apart.most.value.seconds();
    if (preempted / run >= kDisturbed)
      return Disturbance{apart.most.rank, preempted, preempted / run, std::nullopt, std::nullopt};
  }
  return std::nullopt;
}

}  // namespace

std::optional<SharedCores> shared_cores(const trace_io::Header& header) {
  std::optional<SharedCores> most;
  for (const trace_io::Host& host : header.hosts) {
    const auto ranks = static_cast<std::uint64_t>(host.ranks.size());
    if (host.cores == 0 || ranks <= host.cores) continue;
    if (!most || ranks * most->cores > most->ranks * host.cores)
      most = SharedCores{ranks, host.cores};
  }
  return most;
}

std::optional<Disturbance> disturbance_of(const trace_io::Trace& trace) {
  auto found = disturbed(trace);
  if (found) found->shared = shared_cores(trace.header);
  return found;
}

std::string describe(const Disturbance& found) {
  const auto part = [&]() -> std::string {
    if (!found.computing) return formatted("%.0f%% of the recorded run time", 100 * found.share);
    if (found.computing->value <= 0) return "and computed nothing else";
    const double times = found.preempted / *found.computing;
    return times < 1 ? formatted("%.0f%% of its computing time", 100 * times)
                     : formatted("%.1f times its computing time", times);
  };
  const std::string sharing = found.shared ? "; " + counted(found.shared->ranks, "rank") +
                                                 " shared " + counted(found.shared->cores, "core")
                                           : "";
  return "rank " + std::to_string(found.rank.value) + " was preempted for " +
         seconds_text(found.preempted) + " (" + part() + sharing + ")";
}

std::string remedy_of_disturbance(const trace_io::Trace& trace) {
  const bool has_threads = std::ranges::any_of(trace.losses, [](const trace_io::Loss& loss) {
    return loss.name == trace_io::kOtherThreads || loss.name == trace_io::kLateAwake;
  });
  if (has_threads) return "; record again with an idle core for every thread";
  if (trace.header.clock == trace_io::Clock::cpu)
    return "; --clock cpu left waiting for cores out of compute times, but not what others took of "
           "caches and memory: record again with an idle core for every rank, or record several "
           "times, which shows how much runs differ";
  return "; record again on idle cores, or with --clock cpu, whose compute times other processes "
         "do not prolong";
}

std::optional<Disturbance> preemption_of(const trace_io::Trace& trace) {
  const Seconds run = trace.header.elapsed.seconds();
  if (run.value <= 0) return std::nullopt;
  std::optional<Disturbance> found;
  const auto take = [&](Rank rank, Seconds preempted, std::optional<Seconds> computing) {
    if (preempted.value > 0 && (!found || preempted > found->preempted))
      found = Disturbance{rank, preempted, preempted / run, computing, std::nullopt};
  };
  if (trace.preemptions && !trace.preemptions->ranks.empty()) {
    for (const trace_io::RankPreemptions& row : trace.preemptions->ranks)
      take(row.rank, row.time.seconds(), row.compute.seconds());
    return found;
  }
  for (const auto& apart : trace.times_apart)
    if (apart.what == trace_io::TimeApart::preemption)
      take(apart.most.rank, apart.most.value.seconds(), std::nullopt);
  return found;
}

}  // namespace reprise
