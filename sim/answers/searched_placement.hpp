// SPDX-License-Identifier: MIT
// The placement that a trace's traffic asks for on a platform: --placement search.
#pragma once

#include "platforms/placement.hpp"
#include "platforms/platform.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

struct SearchedPlacement {
  platforms::Placement placement;           // listed by node
  double found = 0, block = 0, cyclic = 0;  // hop-bytes (platforms/placement_search.hpp)
};

// Throws what replay() throws: the traffic is counted in one, on block placement.
SearchedPlacement search_placement(const trace_io::Trace&, const platforms::Platform&,
                                   std::uint64_t seed);

// The placement itself, unless it is to be searched for.
platforms::Placement resolved(const platforms::Placement&, const trace_io::Trace&,
                              const platforms::Platform&);

}  // namespace reprise::sim
