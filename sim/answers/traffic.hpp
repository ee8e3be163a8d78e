// SPDX-License-Identifier: MIT
// The traffic of a program as such: who sends how much to whom.
#pragma once

#include "platforms/placement.hpp"
#include "platforms/platform.hpp"
#include "sim/engine/observe/traffic.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

// Counted in a replay without contention, with mean deltas and wildcards as recorded: steady loops are counted, not carried out.
// The platform and the placement decide the algorithms of collectives. Throws what replay() throws.
TrafficPairs count_traffic(const trace_io::Trace&, const platforms::Platform&,
                           const platforms::Placement&);

}  // namespace reprise::sim
