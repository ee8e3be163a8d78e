// SPDX-License-Identifier: MIT
// Whether a trace has what only version 5 of the file format knows: sends that nothing waits for.
//
// Unawaited  a non-blocking send whose request is kNone: no call completes it, it has no age, and whoever plays it lets it go as if MPI_Request_free had been called on
//            it at once. Calls of MPI_Test and MPI_Testall may have further ones (model/completions.hpp), which found such sends complete.
// Cost       O(terms of the sends' requests). Numbers below 0 that increase from one iteration of a loop to another are not looked into: they may be kNone.
#pragma once

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

bool has_unawaited_sends(const Trace&);

}  // namespace reprise::trace_io
