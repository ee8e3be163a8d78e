// SPDX-License-Identifier: MIT
// Everything that the command does with a trace, one thing after the other, in this process: what holds for every trace that a reader
// accepts, however odd.
//
// Rule    each part ends with an answer or a named error (InputError, RunError); its memory is proportional to the trace, its time to
//         the trace's calls. What breaks the rule ends the process: an exception of another kind, abort(), or the heap's limit.
// Parts   file form and back, info, dump, diff with itself, check, iterations, the common point of salvaged ranks, replay on every network
//         that simulates more than once with all details, every output format, the report of mpiP and its validation, export and
//         import of time-independent traces, the points of a study.
#pragma once

#include <cstdint>
#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise::fuzz {

// Which settings the replays take follows from VARIANT. FOLDER: to write in; what is in it is replaced.
// Returns whether the trace was small enough to be replayed.
bool do_everything(const trace_io::Trace&, std::uint64_t variant, const std::string& folder);

}  // namespace reprise::fuzz
