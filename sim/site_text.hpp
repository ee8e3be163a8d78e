// SPDX-License-Identifier: MIT
// Call sites for people: "MPI_Recv (solve.c:212)".
#pragma once

#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise::sim {

// Where the call stands: file and line of the innermost frame that has a name; where that has no line the function, module and offset
// ("main, solver+0x15a2"), because many calls stand in one function; without any name module and offset of the innermost frame; empty where
// the site has no frames.
std::string place_text(const trace_io::Trace&, trace_io::SiteId);
// Procedure and place: "MPI_Recv (solve.c:212)", or "MPI_Recv" alone.
std::string call_text(const trace_io::Trace&, trace_io::SiteId);
std::string procedure_text(const trace_io::Trace&, trace_io::SiteId);

}  // namespace reprise::sim
