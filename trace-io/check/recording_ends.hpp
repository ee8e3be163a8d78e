// SPDX-License-Identifier: MIT
// Whether what a trace says of where recordings ended (model/recording_end.hpp) can be.
#pragma once

#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Ranks of the trace, ascending by rank and thread, none twice; threads and sites exist; times from 0 to 2⁶² ns; signals from 0 to 64. Empty where all is well.
std::string recording_ends_problem(const Trace&);

}  // namespace reprise::trace_io
