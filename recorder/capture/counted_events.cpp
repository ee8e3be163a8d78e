// SPDX-License-Identifier: MIT
#include "recorder/capture/counted_events.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

namespace reprise::recorder {
namespace {

using trace_io::Count;
using trace_io::CountedEvent;
using trace_io::CounterEvent;

// What was seen, for all of the time in which it was to be counted.
std::uint64_t scaled(std::uint64_t seen, const EventGroup::Times& times) {
  if (times.running == 0 || times.running >= times.enabled) return seen;
  const double all = static_cast<double>(seen) * static_cast<double>(times.enabled) /
                     static_cast<double>(times.running);
  return static_cast<std::uint64_t>(
      std::llround(std::min(all, static_cast<double>(trace_io::kMostCounted))));
}

}  // namespace

std::shared_ptr<const trace_io::ComputeCounters> counted_events(
    std::span<const ThreadCounters* const> threads, std::span<const CounterEvent> wanted,
    trace_io::Timing timing) {
  auto counters = std::make_shared<trace_io::ComputeCounters>();
  for (const CounterEvent event : wanted) counters->events.push_back({event});
  std::ranges::sort(counters->events, {}, &CountedEvent::event);
  const std::size_t events = counters->events.size();
  std::map<ThreadCounters::Way, std::vector<Count>> ways;
  for (const ThreadCounters* thread : threads) {
    const EventGroup::Times times = thread->group().times();
    // Never on the processor: nothing was seen.
    const bool is_blind = times.running == 0 && times.enabled > 0;
    for (CountedEvent& event : counters->events) {
      const bool is_counted = thread->group().counts(event.event) && !is_blind;
      ++(is_counted ? event.threads : event.absent);
      if (is_counted && times.running < times.enabled) ++event.scaled;
    }
    if (is_blind || !thread->group().has_any()) continue;
    for (const auto& [way, total] : thread->totals()) {
      const trace_io::SiteId before =
          timing == trace_io::Timing::path ? way.second : trace_io::kNoSite;
      auto& counts = ways.try_emplace({way.first, before}, events).first->second;
      for (std::size_t i = 0; i < events; ++i) {
        const CounterEvent event = counters->events[i].event;
        if (!thread->group().counts(event)) continue;
        counts[i].value += scaled(total.counts[static_cast<std::size_t>(event)], times);
        counts[i].time += total.time;
      }
    }
  }
  for (auto& [way, counts] : ways)
    counters->ways.push_back({way.second, way.first, std::move(counts)});
  return counters;
}

std::string absent_events(const EventGroup& group, std::span<const CounterEvent> wanted) {
  std::string names;
  for (const CounterEvent event : wanted)
    if (!group.counts(event))
      names += (names.empty() ? "" : ", ") + std::string(trace_io::name_of(event));
  if (names.empty()) return names;
  return "the kernel does not count " + names + " here (" + std::strerror(group.problem()) +
         "): the trace is without";
}

}  // namespace reprise::recorder
