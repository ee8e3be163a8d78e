// SPDX-License-Identifier: MIT
// Chooses the paces of a job's ways (settle.hpp says how).
#pragma once

#include "trace-io/merge/compute_table.hpp"

namespace reprise::trace_io {

void fit_paces(ComputeTable&);

}  // namespace reprise::trace_io
