// SPDX-License-Identifier: MIT
// Names for the functions of call streams, from the symbol tables of the modules that they are in.
#pragma once

#include "trace-io/calls/call_file.hpp"

namespace reprise {

// Functions that have a name keep it; those of modules that are missing or have no symbols stay without. Never throws for missing files.
void name_functions(trace_io::CallFile&);

}  // namespace reprise
