// SPDX-License-Identifier: MIT
// What one execution takes a rank in the mean, in relation to the mean of its class (model/scale_factors.hpp).
//
// Cost  O(1) without scale factors, else O(scaled ranks): for callers that keep the answer.
#pragma once

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// 1 without scale factors. REQUIRES: the rank is one of the class; count() > 0.
double relative_mean(const DeltaClass&, Rank);

}  // namespace reprise::trace_io
