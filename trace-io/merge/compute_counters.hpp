// SPDX-License-Identifier: MIT
// Counts of events of two traces of disjoint ranks become one: sums of counts, of the times in which they were counted and of threads, exact.
//
// Events   of either; one that only one of them asked for was counted in none of the other's time.
// Cost     O(ways · events).
#pragma once

#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// B's counts go into A's. SITES: which number each site of b has in a, whose tables are united already.
void unite_compute_counters(Trace& a, const Trace& b, const std::vector<SiteId>& sites);

}  // namespace reprise::trace_io
