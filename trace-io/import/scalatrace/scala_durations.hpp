// SPDX-License-Identifier: MIT
// The times of a ScalaTrace file in the trace that was made of its calls.
//
// What      a record's histograms are of all its ranks, by the call before. In the merged trace the record's calls may stand in several places:
//           each gets its part of the histograms, in proportion to its calls.
// Computing is the measured time; where the file has instructions alone, their number divided by `instructions_per_second`. Where it has
//           both, instructions become counts (model/compute_counters.hpp).
// Losses    calls of which the file has no time; histograms of more or fewer elements than there are calls, which are stretched.
// Cost      O(places · predecessors · bins).
#pragma once

#include <cstdint>

#include "trace-io/import/scalatrace/scala_records.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// REQUIRES: the trace's sites have one frame each, whose offset is the record's number, and each leaf's compute deltas count how often the
// records of their predecessors came before. Puts the sites of the file in their place: one for each procedure and stack signature.
void place_durations(const ScalaTrace&, Trace&, double instructions_per_second);

}  // namespace reprise::trace_io
