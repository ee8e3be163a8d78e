// SPDX-License-Identifier: MIT
// The placement that a trace's traffic asks for on a platform (--placement search), and that traffic: who sends how much to whom.
#pragma once

#include <string>

#include "platforms/placement.hpp"
#include "platforms/platform.hpp"
#include "sim/engine/observe/traffic.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

// Counted in a replay without contention, with mean deltas and wildcards as recorded: steady loops are counted, not carried out.
// The platform and the placement decide the algorithms of collectives. Throws what replay() throws.
TrafficPairs count_traffic(const trace_io::Trace&, const platforms::Platform&,
                           const platforms::Placement&);

struct SearchedPlacement {
  platforms::Placement placement;  // listed by node
  bool is_searched = true;
  double found = 0, block = 0, cyclic = 0;  // hop-bytes (platforms/placement_search.hpp)

  std::string hop_bytes()
      const;  // "found 10, block@spread 30, cyclic@spread 20"; "here" if not searched
};

// WANTED has the seed and the order of nodes, also of block and cyclic. If it is not kSearched, it is listed by node, and what it costs is in
// `found`; throws what place_ranks() throws. Throws what replay() throws: the traffic is counted in one, on
// block placement.
SearchedPlacement search_placement(const trace_io::Trace&, const platforms::Platform&,
                                   const platforms::Placement& wanted);

}  // namespace reprise::sim
