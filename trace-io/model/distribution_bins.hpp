// SPDX-License-Identifier: MIT
// The inside of Distribution: bins in order of their means, and what uniting neighbours costs.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/model/distribution.hpp"

namespace reprise::trace_io {

// Means compared exactly.
bool bin_is_less(const Distribution::Bin&, const Distribution::Bin&);

// The upper one of the neighbours that cost least to unite; ties: the lower pair. REQUIRES: two bins or more.
std::uint32_t cheapest_pair(const std::vector<Distribution::Bin>&);

void unite_neighbours(std::vector<Distribution::Bin>&, std::uint32_t upper);

}  // namespace reprise::trace_io
