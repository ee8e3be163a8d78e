// SPDX-License-Identifier: MIT
// What the ranks of a program that died had saved (FILE.reprise.parts/rank-N.part), united into one trace.
//
// Cost    as the merge over MPI would have had, on one core; all parts are in memory at once.
#pragma once

#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise::cli {

// The trace is marked as incomplete. A part that cannot be read is named on stderr and left out. Throws InputError: no folder, no
// parts in it, none that can be read, parts of different jobs.
trace_io::Trace salvage_parts(const std::string& folder);

}  // namespace reprise::cli
