// SPDX-License-Identifier: MIT
// A rank's counts of events as they stand in a trace.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "recorder/counters/thread_counters.hpp"
#include "trace-io/model/compute_counters.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::recorder {

// Of all threads together, by the call after alone where compute times are (Timing::stat and histogram); where a thread's events took turns on the processor, scaled to all of its time. REQUIRES: no thread appends
// meanwhile.
std::shared_ptr<const trace_io::ComputeCounters> counted_events(
    std::span<const ThreadCounters* const>, std::span<const trace_io::CounterEvent> wanted,
    trace_io::Timing);

// What the kernel does not give this thread, in a line for the user; empty where it gives all.
std::string absent_events(const EventGroup&, std::span<const trace_io::CounterEvent> wanted);

}  // namespace reprise::recorder
