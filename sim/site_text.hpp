// SPDX-License-Identifier: MIT
// Call sites for people: "MPI_Recv (solve.c:212)".
#pragma once

#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise::sim {

// Where the call stands: file and line, else the function, of the innermost frame that has a name; else module and offset of the
// innermost one; empty where the site has no frames.
std::string place_text(const trace_io::Trace&, trace_io::SiteId);
// Procedure and place: "MPI_Recv (solve.c:212)", or "MPI_Recv" alone.
std::string call_text(const trace_io::Trace&, trace_io::SiteId);
std::string procedure_text(const trace_io::Trace&, trace_io::SiteId);

}  // namespace reprise::sim
