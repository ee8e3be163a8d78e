// SPDX-License-Identifier: MIT
// Reads the statements between the braces of a thread or a loop (SYNTAX.md, "Programs").
#pragma once

#include <vector>

#include "trace-io/text/parsed_program.hpp"
#include "trace-io/text/scanner.hpp"

namespace reprise::trace_io {

// Up to and with the closing brace. `tables`: header and tables, complete.
std::vector<ParsedNode> read_program(Scanner&, const Trace& tables);

}  // namespace reprise::trace_io
