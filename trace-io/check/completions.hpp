// SPDX-License-Identifier: MIT
// Whether what a trace keeps of completions (model/completions.hpp) can be.
//
// Checked  no more phases represented than there were; further calls only of calls that complete some of several requests and of tests, where the trace says that
//          completions are represented, of ranks that execute the call, ascending, none 0; no rank made fewer than 0 calls.
// Cost     O(ranks with further calls · log ranks) a call.
#pragma once

#include <string>

#include "trace-io/check/executions.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Empty where all is well.
std::string completions_problem(const Trace&);
std::string further_calls_problem(const Trace&, const Leaf&, const Procedure&,
                                  const NodeExecutions&);

// How often a rank, one of `executed.ranks` at that place, made the call.
std::uint64_t calls_of(const Leaf&, const NodeExecutions& executed, std::size_t place);

}  // namespace reprise::trace_io
