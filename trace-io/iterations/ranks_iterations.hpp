// SPDX-License-Identifier: MIT
// The iterations of several ranks in one trace: put together, sites renumbered, rounded for the file, found again.
//
// Merged    each rank keeps clusters of its own, as each recorded without looking at the others; what ranks have in common is the file's affair. So the
//           result does not depend on the order of merging.
// Rounded   the mean of a time over a cluster, to kRoundedMeans significant bits, but for the largest cluster that visits the site, which takes the rest:
//           sums over all clusters stay exact. Counts and bytes are exact.
// Error     a mean is off by at most 2^-8 of it; that of the largest cluster by no more than those of the others together, and where the rest
//           would be off by more than 1/16, the time at that site is not rounded.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/base/integers.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

inline constexpr ShortFloat<std::uint64_t> kRoundedMeans{8};  // ns

// Of disjoint ranks, both ascending.
std::vector<RankIterations> united_iterations(std::vector<RankIterations>,
                                              std::vector<RankIterations>);

// Site s becomes sites[s].
void renumber(std::vector<RankIterations>&, const std::vector<SiteId>& sites);
void renumber_iterations(std::vector<Node>&, const std::vector<SiteId>& sites);

// For whoever writes the finished trace. Rounding what is rounded changes nothing.
void round_iterations(RankIterations&);
void round_iterations(Trace&);

// Calls visit(loop) for every loop of a program that has iterations, outer before inner.
template <class Nodes, class Visit>
void for_each_clustered_loop(Nodes& nodes, const Visit& visit) {
  for (auto& node : nodes) {
    auto* loop = std::get_if<Loop>(&node.content);
    if (loop == nullptr) continue;
    if (!loop->clusters.empty()) visit(*loop);
    for_each_clustered_loop(loop->body, visit);
  }
}
bool has_iterations(const Trace&);

}  // namespace reprise::trace_io
