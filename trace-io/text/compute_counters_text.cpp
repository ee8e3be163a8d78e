// SPDX-License-Identifier: MIT
#include "trace-io/text/compute_counters_text.hpp"

#include <memory>
#include <utility>

namespace reprise::trace_io {
namespace {

SiteId read_site(Scanner& in, const Trace& tables) {
  in.expect("@", "in front of a site");
  const std::size_t at = in.position();
  const std::uint64_t number = in.unsigned_number("site");
  if (number >= tables.sites.size())
    in.refuse(at, "there is no site " + std::to_string(number) + ", " +
                      std::to_string(tables.sites.size()) + " are declared");
  return static_cast<SiteId>(number);
}

CounterEvent read_event(Scanner& in) {
  const std::size_t at = in.position();
  std::string name(in.word("an event"));
  while (in.accept_here('-')) name += "-" + std::string(in.word("the rest of an event"));
  const auto event = counter_event_named(name);
  if (!event) {
    std::string known;
    for (const std::string_view one : kCounterEvents)
      known += (known.empty() ? "" : ", ") + std::string(one);
    in.refuse(at, "no event \"" + name + "\"", known);
  }
  return *event;
}

}  // namespace

std::string compute_counters_text(const ComputeCounters& counters) {
  std::string text = "counters [";
  const char* separator = "";
  for (const CountedEvent& one : counters.events) {
    text += separator + std::string(name_of(one.event)) + " threads " +
            std::to_string(one.threads) + " absent " + std::to_string(one.absent) + " scaled " +
            std::to_string(one.scaled);
    separator = ", ";
  }
  text += "]\n";
  for (const WayCounts& way : counters.ways) {
    text += "counted @" + std::to_string(way.site);
    if (way.predecessor != kNoSite) text += " after @" + std::to_string(way.predecessor);
    separator = ": ";
    for (const Count& count : way.counts) {
      text +=
          separator + std::to_string(count.value) + "/" + std::to_string(count.time.value) + "ns";
      separator = ", ";
    }
    text += "\n";
  }
  return text;
}

void read_counters(Scanner& in, Trace& trace) {
  if (trace.counters != nullptr) in.refuse("\"counters\" is given twice");
  ComputeCounters counters;
  in.expect("[", "in front of the events");
  while (!in.accept("]")) {
    if (!counters.events.empty()) in.expect(",", "between events");
    CountedEvent& one = counters.events.emplace_back();
    one.event = read_event(in);
    in.expect("threads", "after the event");
    one.threads = in.unsigned_number("a number of threads");
    in.expect("absent", "after the threads that counted");
    one.absent = in.unsigned_number("a number of threads");
    in.expect("scaled", "after the threads that did not");
    one.scaled = in.unsigned_number("a number of threads");
  }
  trace.counters = std::make_shared<ComputeCounters>(std::move(counters));
}

void read_counted(Scanner& in, Trace& trace) {
  if (trace.counters == nullptr) in.refuse("counts, but no statement \"counters\" before them");
  WayCounts way;
  way.site = read_site(in, trace);
  if (in.accept("after")) way.predecessor = read_site(in, trace);
  if (!trace.counters->events.empty()) in.expect(":", "in front of counts");
  for (std::size_t i = 0; i < trace.counters->events.size(); ++i) {
    if (i > 0) in.expect(",", "between the counts of two events");
    Count& count = way.counts.emplace_back();
    count.value = in.unsigned_number("a count");
    in.expect("/", "between a count and its time");
    count.time = Nanoseconds{in.nanoseconds("the time of counting")};
  }
  // Made above, and nobody else holds it while a text is read: a copy for each statement would take quadratic time.
  std::const_pointer_cast<ComputeCounters>(trace.counters)->ways.push_back(std::move(way));
}

}  // namespace reprise::trace_io
