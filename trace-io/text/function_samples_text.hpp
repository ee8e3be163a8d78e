// SPDX-License-Identifier: MIT
// Samples of functions in the text form (SYNTAX.md): a statement for what holds for all, one for each class of ranks.
#pragma once

#include <string>

#include "trace-io/model/function_samples.hpp"
#include "trace-io/model/trace.hpp"
#include "trace-io/text/scanner.hpp"

namespace reprise::trace_io {

std::string function_samples_text(const FunctionSamples&);

// What stands behind "functions" and behind "sampled" goes into the trace. REQUIRES: its sites and call paths are declared.
void read_functions(Scanner&, Trace&);
void read_sampled(Scanner&, Trace&);

}  // namespace reprise::trace_io
