// SPDX-License-Identifier: MIT
// What ranks' processors counted while they computed (`reprise record --counters`).
//
// Event    something that is counted: instructions and cycles by the processor, the others by the kernel. In user mode alone, where the kernel
//          allows that distinction.
// Way      counts between two calls are added up by the call before and the call after, as compute times are (PathDeltas), over all threads,
//          iterations and ranks, each with the compute time in which it was counted: that is less than all where a kernel or a processor
//          did not give the event to every thread.
// Absent   threads whose kernel did not give the event: they count nothing of it.
// Scaled   threads on which the event shared the processor's counters with others: its counts are what was seen of it times the share of
//          the time in which it was counted.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "trace-io/base/quantity.hpp"
#include "trace-io/model/event.hpp"

namespace reprise::trace_io {

enum class CounterEvent : std::uint8_t {
  instructions,
  cycles,
  task_clock,  // ns
  page_faults,
  context_switches,
  cpu_migrations,
};
inline constexpr std::array<std::string_view, 6> kCounterEvents = {
    "instructions", "cycles", "task-clock", "page-faults", "context-switches", "cpu-migrations"};
constexpr std::string_view name_of(CounterEvent event) {
  return kCounterEvents[static_cast<std::size_t>(event)];
}
constexpr std::optional<CounterEvent> counter_event_named(std::string_view name) {
  for (std::size_t i = 0; i < kCounterEvents.size(); ++i)
    if (kCounterEvents[i] == name) return static_cast<CounterEvent>(i);
  return std::nullopt;
}

// "instructions,cycles": none where a name among them is none. Each once, in the order of the text.
inline constexpr std::string_view kDefaultCounterEvents = "instructions,cycles";
inline constexpr const char* kCounterEventForms =
    "events separated by commas, of instructions, cycles, task-clock, page-faults, "
    "context-switches "
    "and cpu-migrations";
std::optional<std::vector<CounterEvent>> counter_events_named(std::string_view names);

struct CountedEvent {
  CounterEvent event{};
  std::uint64_t threads = 0;  // that counted it
  std::uint64_t absent = 0;   // that were to
  std::uint64_t scaled = 0;   // of `threads`
  friend bool operator==(const CountedEvent&, const CountedEvent&) = default;
};

struct Count {
  std::uint64_t value = 0;
  Nanoseconds time{};  // compute time in which it was counted, as it stands in the trace
  friend bool operator==(const Count&, const Count&) = default;
};

struct WayCounts {
  SiteId predecessor = kNoSite;  // none: the site is a thread's first
  SiteId site = kNoSite;         // the call after
  std::vector<Count> counts;     // by event
  friend bool operator==(const WayCounts&, const WayCounts&) = default;
};

struct ComputeCounters {
  std::vector<CountedEvent> events;  // ascending, none twice
  std::vector<WayCounts> ways;       // ascending by site, then by predecessor
};

// Sums stay there: 4·10¹⁸ cycles are 50 000 cores for 8 hours between the same two calls.
inline constexpr std::uint64_t kMostCounted = std::uint64_t{1} << 62U;

}  // namespace reprise::trace_io
