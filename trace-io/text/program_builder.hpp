// SPDX-License-Identifier: MIT
// From programs as they are written to programs as a trace holds them: sites made where none is named, values that stand for
// every call spread over the calls, peers turned into codes, fields left out given their usual values.
#pragma once

#include <string>
#include <vector>

#include "trace-io/text/parsed_program.hpp"
#include "trace-io/text/scanner.hpp"

namespace reprise::trace_io {

// Adds the sites, and what they need, that calls without a number make; `name` becomes the module and the file of their frames.
void make_sites(std::vector<std::vector<ParsedNode>>& programs, Trace&, const std::string& name);

// The programs become the trace's threads. Errors are placed by the scanner that read them.
void build_programs(const std::vector<std::vector<ParsedNode>>& programs, Trace&, const Scanner&);

}  // namespace reprise::trace_io
