// SPDX-License-Identifier: MIT
// Chooses the scale factors of a job's paths (finalize.hpp says how).
#pragma once

#include "trace-io/merge/compute_table.hpp"

namespace reprise::trace_io {

void fit_scale_factors(ComputeTable&);

}  // namespace reprise::trace_io
