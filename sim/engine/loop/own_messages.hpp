// SPDX-License-Identifier: MIT
// A rank's messages to itself: where the platform says how fast a rank copies, they are one copy that it makes, and nothing travels.
//
// An eager one is copied in the send, a rendezvous when both its calls are there. No latency, no acknowledgement, no share of the node's
// path, and the library's shared-memory code is not gone through, so no cold caches. A platform that does not know copies has them on the node's path.
#pragma once

#include <cstdint>

#include "platforms/platform.hpp"

namespace reprise::sim {

inline bool is_own_copy(const platforms::Mpi& inside, std::int32_t from, std::int32_t to) {
  return from == to && inside.copy_bandwidth.has_value();
}

}  // namespace reprise::sim
