// SPDX-License-Identifier: MIT
// What the actions of `reprise trace` find out and print.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/verb.hpp"
#include "sim/text/disturbance.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/file/finish_times.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::cli {

// `times`: what the file says about finishing, if it does. `with_internals`: also how it is stored.
std::string info_text(const trace_io::Trace&, std::uint64_t file_bytes,
                      const std::optional<trace_io::FinishTimes>& times, bool with_internals);
std::string info_json(const trace_io::Trace&, std::uint64_t file_bytes,
                      const std::optional<trace_io::FinishTimes>& times);  // docs/JSON.md
// `whole_program`: losses that are more than notices make the trace fail.
std::string findings_text(const std::string& path, const std::vector<trace_io::Finding>&,
                          bool whole_program);
std::string findings_json(const std::vector<trace_io::Finding>&, const std::optional<Disturbance>&);
// The findings and, where the recording was disturbed, that as well: first of a trace that is consistent.
std::string check_text(const std::string& path, const std::vector<trace_io::Finding>&,
                       bool whole_program, const std::optional<Disturbance>&,
                       const trace_io::Trace&);

// The verb's actions `functions`, `calls`, `counters`, `iterations`, `imbalance`, `memory`, `messages` and `at`.
int trace_functions(const Arguments&);
int trace_calls(const Arguments&);
int trace_counters(const Arguments&);
int trace_iterations(const Arguments&);
int trace_imbalance(const Arguments&);
int trace_memory(const Arguments&);
int trace_messages(const Arguments&);
int trace_at(const Arguments&);

struct NamedTrace {
  std::string path;
  trace_io::Trace trace;
};

// Whether two traces are of the same run, and how far their times are apart.
struct TraceDifference {
  bool same_structure = true;
  std::string text, json;
};

// `with_sites`: whether calls must come from the same source lines. Cost: linear in the folded traces where they are alike, else
// see trace-io/text/line_difference.hpp.
TraceDifference compare_traces(const NamedTrace& first, const NamedTrace& second, bool with_sites);

// What the ranks of a program that died had saved (FILE.reprise.parts/rank-N.part), united into one trace, which is marked as
// incomplete. Where all ranks left something it is cut back to the point that all of them reached, so that it can be replayed; what that
// leaves out is a loss. A part that cannot be read is named on stderr and left out. Throws InputError: no folder, no parts in it, none that
// can be read, parts of different jobs. Cost: as the merge over MPI would have had, on one core; all parts are in memory at once.
// WHOLE: nothing is cut back.
trace_io::Trace salvage_parts(const std::string& folder, bool whole);
// Throws InputError: no folder, or no parts in it.
void require_parts(const std::string& folder);
// "rank 0 came 0.012 s into the run, to iteration 440 of the loop of MPI_Irecv at sten.c:26"; empty where it recorded no time.
std::string reached_text(const trace_io::Trace&);

}  // namespace reprise::cli
