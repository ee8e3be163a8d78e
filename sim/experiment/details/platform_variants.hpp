// SPDX-License-Identifier: MIT
// The platforms of a what-if answer's extra replays: one whose network is ideal, ones whose links are slower or faster.
#pragma once

#include "platforms/platform.hpp"

namespace reprise::sim {

// Messages take no time: no latency, no overhead, no copies, and every flow infinitely fast. What is left of a replay on it (in the
// uncontended network) is computing, the order that messages impose, storage, and combining in reductions.
platforms::Platform with_ideal_network(platforms::Platform);

enum class LinkQuantity { latency, bandwidth };
enum class LinkPlace {
  network,      // all links between nodes, their interfaces included, as --latency and --bandwidth
  inside_node,  // the nodes' own paths
};
// REQUIRES: factor > 0.
platforms::Platform with_scaled_links(platforms::Platform, LinkQuantity, LinkPlace, double factor);

}  // namespace reprise::sim
