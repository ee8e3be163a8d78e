// SPDX-License-Identifier: MIT
#include "trace-io/check/compute_counters.hpp"

#include <tuple>

#include "trace-io/model/compute_counters.hpp"

namespace reprise::trace_io {
namespace {

std::string events_problem(const std::vector<CountedEvent>& events) {
  const CountedEvent* before = nullptr;
  for (const CountedEvent& event : events) {
    if (before != nullptr && event.event <= before->event)
      return "events that are not in ascending order";
    if (event.threads > kMostCounted || event.absent > kMostCounted || event.scaled > event.threads)
      return std::string(name_of(event.event)) + ": impossible numbers of threads";
    before = &event;
  }
  return "";
}

std::string count_problem(const Count& count, const CountedEvent& event) {
  const std::string what(name_of(event.event));
  if (count.time.value < 0 || static_cast<std::uint64_t>(count.time.value) >= kMostCounted)
    return what + ": counted in " + std::to_string(count.time.value) + " ns";
  if (count.value > kMostCounted) return what + ": " + std::to_string(count.value) + " counted";
  if (event.threads == 0 && count != Count{}) return what + ": counted by no thread";
  return "";
}

}  // namespace

std::string compute_counters_problem(const Trace& trace) {
  if (trace.counters == nullptr) return "";
  const ComputeCounters& counters = *trace.counters;
  if (std::string problem = events_problem(counters.events); !problem.empty()) return problem;
  const WayCounts* before = nullptr;
  for (const WayCounts& way : counters.ways) {
    const auto is_missing = [&](SiteId site) { return site >= trace.sites.size(); };
    if (is_missing(way.site) || (way.predecessor != kNoSite && is_missing(way.predecessor)))
      return "a site that does not exist";
    if (before != nullptr &&
        std::tie(way.site, way.predecessor) <= std::tie(before->site, before->predecessor))
      return "paths that are not in ascending order";
    if (way.counts.size() != counters.events.size())
      return std::to_string(way.counts.size()) + " counts of a path, of " +
             std::to_string(counters.events.size()) + " events";
    for (std::size_t i = 0; i < way.counts.size(); ++i)
      if (std::string problem = count_problem(way.counts[i], counters.events[i]); !problem.empty())
        return problem;
    before = &way;
  }
  return "";
}

}  // namespace reprise::trace_io
