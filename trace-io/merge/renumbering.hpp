// SPDX-License-Identifier: MIT
// Gives the sites of a program other numbers.
#pragma once

#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// In every leaf and every predecessor, site s becomes sites[s]; kNoSite stays. Cost: O(nodes), nothing where the numbers
// are the same already. REQUIRES: every site of the nodes is below sites.size().
void renumber_sites(std::vector<Node>& nodes, const std::vector<SiteId>& sites);

}  // namespace reprise::trace_io
