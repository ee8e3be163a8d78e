// SPDX-License-Identifier: MIT
// Where recordings ended without MPI_Finalize, in the text form (SYNTAX.md): the statement `ended`.
#pragma once

#include <string>

#include "trace-io/model/trace.hpp"
#include "trace-io/text/scanner.hpp"

namespace reprise::trace_io {

// A line for each, with its end.
std::string recording_ends_text(const std::vector<RecordingEnd>&);
// Behind the word "ended". Throws InputError; their order is check_structure()'s affair.
void read_ended(Scanner&, Trace&);

}  // namespace reprise::trace_io
