// SPDX-License-Identifier: MIT
// What a prediction takes over from the recording without a statement of the user: how fast processors compute, and what the ranks of a node
// take from each other's caches and memory bandwidth. Both may matter more than the network that is asked about.
//
// Processors  as recorded unless a relative_speed, a compute rule, a node's slowdown or a scale says otherwise. On the machine of the recording
//             that is no assumption.
// Neighbours  ranks that compute on a node at the same time: at most one for each core. Recording and replay are compared; an imported trace may
//             not know its hosts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/experiment/experiment.hpp"
#include "sim/outcome.hpp"

namespace reprise::sim {

// Twice as many ranks or half as many, where it is so many at least: two ranks seldom fill a node's memory.
inline constexpr std::uint32_t kOtherSharing = 2, kFewestSharing = 4;

// Ranks that compute at the same time on the fullest node.
struct NodeSharing {
  std::uint32_t recorded = 1, replayed = 1;
  bool is_other() const;
};

// None where the trace does not tell its hosts.
std::optional<NodeSharing> node_sharing(const trace_io::Header&, const Prepared&, const Outcome&);

// REQUIRES: is_other(). Without its full stop.
std::string describe(const NodeSharing&);

// Whether nothing says how fast the nodes that have ranks compute.
bool computes_as_recorded(const Prepared&, const Outcome&);

}  // namespace reprise::sim
