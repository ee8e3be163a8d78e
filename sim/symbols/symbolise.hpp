// SPDX-License-Identifier: MIT
// Function, file and line of a trace's call paths, from the symbol tables and debug information of the modules it names.
//
// When    right after recording, on the machine where the modules are: the names are then kept in the trace.
// Cost    each module is opened once; about a millisecond per hundred frames.
// A module that is missing, or whose build-id is another one than was recorded, is left without names.
#pragma once

#include <cstddef>
#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise {

// Adds a FrameName for every frame it can name and that has none yet; returns how many were added. Never throws for missing files.
std::size_t symbolise(trace_io::Trace&);

}  // namespace reprise
