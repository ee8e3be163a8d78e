// SPDX-License-Identifier: MIT
// Call sites for people: "MPI_Recv (solve.c:212)".
#pragma once

#include <map>
#include <set>
#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise::sim {

// Where the call stands: file and line of the innermost frame that has a name; where that has no line the function, module and offset
// ("main, solver+0x15a2"), because many calls stand in one function; without any name module and offset of the innermost frame; empty where
// the site has no frames.
std::string place_text(const trace_io::Trace&, trace_io::SiteId);
// Procedure and place: "MPI_Recv (solve.c:212)", or "MPI_Recv" alone.
std::string call_text(const trace_io::Trace&, trace_io::SiteId);
// Module and offset: "solver+0x15a2".
std::string offset_text(const trace_io::Trace&, const trace_io::Frame&);
std::string procedure_text(const trace_io::Trace&, trace_io::SiteId);
// The same of a row of a table that has them apart; CALLER as callers_of() gives it.
std::string call_text(const std::string& procedure, const std::string& place,
                      const std::string& caller);

// Of sites that stand in one table and have the same procedure and place: the callers that tell them apart, "step.c:88, main.c:12", as few as
// possible, the inner one first; of those that no caller tells apart, as of programs that share a source file, the program last: "in solver". Sites that need none, or have no callers that differ, are left out.
// Cost: O(sites · frames · log).
std::map<trace_io::SiteId, std::string> callers_of(const trace_io::Trace&,
                                                   const std::set<trace_io::SiteId>& sites);

}  // namespace reprise::sim
