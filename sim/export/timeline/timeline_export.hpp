// SPDX-License-Identifier: MIT
// A recorded trace as a timeline: every call of every rank at its time, in a format of other tools.
//
// Time    compute times and times in MPI as they were recorded, in their order, with what ranks were preempted for (recorded_timeline.hpp), moved
//         where messages would be received before they are sent (recorded_timelines.hpp, causal_clock.hpp).
// Size    an unrolled trace can be a million times larger than the folded one: more than `most_bytes` are refused before anything is
//         written, by an estimate of kBytesPerCall.
// Errors  InputError: not all ranks in the trace, too many calls. RunError: what cannot be written.
// Cost    every call once; memory: that of RecordedTimelines and the format's buffers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "sim/engine/deltas/delta_player.hpp"
#include "sim/export/timeline/causal_clock.hpp"
#include "sim/export/timeline/timed_call.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

enum class TimelineFormat : std::uint8_t { chrome, otf2, prv };
std::uint64_t bytes_per_call(
    TimelineFormat);  // about, of programs whose calls are messages and requests

// `to` is the folder (otf2) or the file (prv, chrome).
std::unique_ptr<TimelineWriter> timeline_writer(TimelineFormat, const trace_io::Trace&,
                                                const std::string& to, MessageSource);

struct TimelineSettings {
  Deltas deltas = Deltas::ordered;
  std::uint64_t seed = 1;
  std::uint64_t most_bytes = 2'000'000'000;
};

struct TimelineSummary {
  std::string path;  // to be opened
  std::uint64_t calls = 0;
  std::uint64_t messages = 0;    // of a predicted run
  std::uint64_t unfinished = 0;  // calls that never end: a deadlock
  Seconds
      run;  // of a recorded one: from the end of MPI_Init to the call of MPI_Finalize, of the last rank
  CausalMoves moves;  // likewise
  std::map<std::string, std::uint64_t> losses;
};

TimelineSummary export_timeline(const trace_io::Trace&, const std::string& name, TimelineFormat,
                                const TimelineSettings&, const std::string& to);

}  // namespace reprise::sim
