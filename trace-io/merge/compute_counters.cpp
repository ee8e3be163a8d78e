// SPDX-License-Identifier: MIT
#include "trace-io/merge/compute_counters.hpp"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "trace-io/model/compute_counters.hpp"

namespace reprise::trace_io {
namespace {

bool is_before(const WayCounts& x, const WayCounts& y) {
  return std::tie(x.site, x.predecessor) < std::tie(y.site, y.predecessor);
}

// Neither is above kMostCounted.
std::uint64_t sum(std::uint64_t x, std::uint64_t y) { return std::min(x + y, kMostCounted); }

void add(Count& to, const Count& more) {
  constexpr std::uint64_t kLongest = kMostCounted - 1;
  to.value = sum(to.value, more.value);
  to.time = Nanoseconds{static_cast<std::int64_t>(std::min(
      sum(static_cast<std::uint64_t>(to.time.value), static_cast<std::uint64_t>(more.time.value)),
      kLongest))};
}

std::vector<CountedEvent> united(const std::vector<CountedEvent>& a,
                                 const std::vector<CountedEvent>& b) {
  std::vector<CountedEvent> sorted, both;
  std::ranges::merge(a, b, std::back_inserter(sorted), {}, &CountedEvent::event,
                     &CountedEvent::event);
  for (const CountedEvent& one : sorted)
    if (!both.empty() && both.back().event == one.event) {
      both.back().threads = sum(both.back().threads, one.threads);
      both.back().absent = sum(both.back().absent, one.absent);
      both.back().scaled = sum(both.back().scaled, one.scaled);
    } else {
      both.push_back(one);
    }
  return both;
}

// Counts of these events in the places of those of all.
std::vector<Count> placed(const std::vector<Count>& counts, const std::vector<CountedEvent>& events,
                          const std::vector<CountedEvent>& all) {
  std::vector<Count> of_all(all.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto at = std::ranges::lower_bound(all, events[i].event, {}, &CountedEvent::event);
    of_all[static_cast<std::size_t>(at - all.begin())] = counts[i];
  }
  return of_all;
}

}  // namespace

void unite_compute_counters(Trace& a, const Trace& b, const std::vector<SiteId>& sites) {
  if (b.counters == nullptr) return;
  const ComputeCounters none;
  const ComputeCounters& in_a = a.counters == nullptr ? none : *a.counters;
  ComputeCounters both;
  both.events = united(in_a.events, b.counters->events);
  std::vector<WayCounts> ways;
  for (const WayCounts& way : in_a.ways)
    ways.push_back({way.predecessor, way.site, placed(way.counts, in_a.events, both.events)});
  for (const WayCounts& way : b.counters->ways)
    ways.push_back({way.predecessor == kNoSite ? kNoSite : sites.at(way.predecessor),
                    sites.at(way.site), placed(way.counts, b.counters->events, both.events)});
  std::ranges::stable_sort(ways, is_before);
  for (WayCounts& way : ways)
    if (!both.ways.empty() && !is_before(both.ways.back(), way))
      for (std::size_t i = 0; i < way.counts.size(); ++i)
        add(both.ways.back().counts[i], way.counts[i]);
    else
      both.ways.push_back(std::move(way));
  a.counters = std::make_shared<const ComputeCounters>(std::move(both));
}

}  // namespace reprise::trace_io
