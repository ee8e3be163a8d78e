// SPDX-License-Identifier: MIT
// Writes one thread's program in the text form, or its structure alone. Cost: linear in the folded program.
#pragma once

#include <string>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

void dump_program(const Trace&, const std::vector<Node>& program, std::string& out);

// What the program does, without the times that it took: "MPI_Send at solve.c:212 peer=+1 bytes=8". Sites go by their names, so that two
// traces can be compared line by line; without sites by their procedures alone. Not to be assembled.
void dump_structure(const Trace&, const std::vector<Node>& program, bool with_sites,
                    std::string& out);

}  // namespace reprise::trace_io
