// SPDX-License-Identifier: MIT
#include "trace-io/model/compute_counters.hpp"

#include <algorithm>

namespace reprise::trace_io {

std::optional<std::vector<CounterEvent>> counter_events_named(std::string_view names) {
  std::vector<CounterEvent> events;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const auto event = counter_event_named(names.substr(begin, end - begin));
    if (!event) return std::nullopt;
    if (std::ranges::find(events, *event) == events.end()) events.push_back(*event);
    begin = end + 1;
  }
  return events;
}

}  // namespace reprise::trace_io
