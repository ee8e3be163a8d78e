// SPDX-License-Identifier: MIT
// Writes one thread's program in the text form. Cost: linear in the folded program.
#pragma once

#include <string>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

void dump_program(const Trace&, const std::vector<Node>& program, std::string& out);

}  // namespace reprise::trace_io
