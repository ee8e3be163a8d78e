// SPDX-License-Identifier: MIT
// Bins that are all there at once, united to fewer: what adding one value after the other makes of them for a tenth of the time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "trace-io/model/distribution.hpp"

namespace reprise::trace_io {

inline constexpr std::size_t kMostUnited = 32;

// Unites neighbours by Ward's rule (distribution.hpp) until at most `limit` are left; empty ones go. O(bins²). REQUIRES: limit ≥ 1; those that are
// not empty are at most kMostUnited and ascend by their means.
std::vector<Distribution::Bin> united(std::span<const Distribution::Bin>, std::size_t limit);

}  // namespace reprise::trace_io
