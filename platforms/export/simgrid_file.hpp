// SPDX-License-Identifier: MIT
// A platform as a SimGrid platform file (XML, version 4.1), for `smpirun` and for programs that use SimGrid.
//
// Cluster   nodes without names: stars, and fat trees whose links are all alike: one <cluster>, as platforms/xml reads it back.
// Full      everything else, and the first nodes of any: a <zone routing="Full"> with the route between every two hosts, at most 512, and the
//           links of these routes. A node of several sockets is a host for each. Size: O(hosts² · hops).
// Config    SimGrid's model without corrections for TCP, with the platform's LatencyWeights where it has them; and what SMPI has of MPI's
//           costs: overheads, eager limit, factors by size.
// Left out  what has no counterpart there, one text each.
#pragma once

#include <string>
#include <vector>

#include "platforms/platform.hpp"

namespace reprise::platforms {

struct SimgridFile {
  std::string text;
  std::vector<std::string> left_out;
};

// FIRST_NODES: only so many; 0: all. Throws InputError at the platform's file where that are more hosts than can be written route by route.
SimgridFile simgrid_file(const Platform&, NodeIndex first_nodes = 0);

}  // namespace reprise::platforms
