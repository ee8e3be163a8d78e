// SPDX-License-Identifier: MIT
// Clusters of iterations in the text form (SYNTAX.md, "Iterations"), written and read.
#pragma once

#include <string>

#include "trace-io/model/trace.hpp"
#include "trace-io/text/scanner.hpp"

namespace reprise::trace_io {

// "iterations rank 0 limit 64 same counts sequence [0*10] clusters [10: @3 1/8/100/200]", without an end of line.
std::string iterations_text(const RankIterations&);

// What stands behind "iterations". Whether it suits its loop is check_structure()'s affair. `tables`: ranks and sites.
// Errors: InputError at the scanner's place.
RankIterations read_iterations(Scanner&, const Trace& tables);

}  // namespace reprise::trace_io
