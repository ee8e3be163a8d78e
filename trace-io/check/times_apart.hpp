// SPDX-License-Identifier: MIT
// Whether what was taken off compute times for the recorder's own part can be: nothing may have been taken off without a curve, and not
// more than the curves, or the run, have. Whether who was preempted and for how long agree.
#pragma once

#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Empty where all is well.
std::string compensation_problem(const Trace&);
std::string preemptions_problem(const Trace&);

}  // namespace reprise::trace_io
