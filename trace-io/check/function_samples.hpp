// SPDX-License-Identifier: MIT
// Whether a trace's samples of functions (model/function_samples.hpp) can be.
//
// Checked  a rate; classes of recorded ranks, none empty or twice, in the order of their lowest ranks; paths of sites that there are, ascending,
//          none twice, inside calls without a predecessor; stacks that there are, of at least one frame, ascending; counts from 1 to kMostSamples − 1.
// Cost     O(counts · log).
#pragma once

#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Empty where all is well.
std::string function_samples_problem(const Trace&);

}  // namespace reprise::trace_io
