// SPDX-License-Identifier: MIT
// Rules whose pattern is a function's name hold for the time before calls made there, not for the time inside the function: two things that
// users mix up. Answers say which one it is.
#pragma once

#include <string>

#include "sim/engine/compute/compute_scaling.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

// Whether the rule is one for compute times before calls, and its pattern matches a function on the call path of one of them.
// Cost: O(call sites · frames).
bool holds_for_callers(const trace_io::Trace&, const ComputeRule&);

// "exchange scales the computing before MPI calls made in it, in whatever function; function:exchange is the time inside it …"
std::string describe_callers(const trace_io::Trace&, const ComputeRule&);

// The rule for the time inside, as who wrote this one would write it: "function:exchange" for --compute, "\"inside_function\": \"exchange\"" in
// a scenario.
std::string inside_text(const ComputeRule&);

}  // namespace reprise::sim
