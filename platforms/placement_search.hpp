// SPDX-License-Identifier: MIT
// Which rank goes on which node so that bytes travel few hops.
//
// Hop-bytes  the sum over all pairs of ranks of bytes sent × links on the route between their nodes, 0 inside a node (Agarwal, Sharma,
//            Kale, "Topology-aware task mapping for reducing communication contention on large parallel machines", IPDPS 2006).
// Places     those of block placement in an order of the nodes: its nodes, as many ranks on each. What is sought is who takes which.
// Search     1. construction: next is the rank that exchanges most with those placed already, on the free node where that costs
//               least (Müller-Merbach, "Optimale Reihenfolgen", 1970);
//            2. improvement, of that and of block: two ranks change places where that costs less than a threshold, which falls to
//               nothing (Dueck, Scheuer, "Threshold Accepting", J. Comp. Phys. 90, 1990), then only where it saves hop-bytes
//               (pairwise exchange: Heider, 1972). Tried are ranks near partners; on sparse traffic a change costs the partners
//               of the two (Schulz, Träff, "Better Process Mapping and Sparse Quadratic Assignment", SEA 2017).
//            3. halves: up to eight times ranks and nodes are bisected, again and again (rank_bisection.hpp), then step 2 without the
//               threshold. Changes of two places cannot turn strips into tiles where each such change costs; cuts can.
//            The best of all attempts is taken, so it is never worse than block; no change of places with a rank on a partner's node
//            saves anything, unless the bound on work was met first (as it is where everybody sends to everybody and little can be
//            gained).
// Found      the least there is, for halos whose nodes can have tiles or cubes: 8 × 8 ranks on nodes of 4 (48 edges between nodes, block
//            64) or of 8 (periodic: 48, block 64), 4 × 4 × 4 on nodes of 8, 32 × 32 on nodes of 32 (320, block 992; steps 1 and 2
//            alone: 441).
// Cost       O(nodes · pairs) to construct, O(partners) for each change that is tried, O(pairs · log ranks) for each pass over a cut; at
//            most about kMostWork such steps in all, of them kMostWork / 16 for cuts: a few seconds.
//            A plane of 10^4 ranks takes a fifth more CPU time than steps 1 and 2 alone, for 37 % fewer hop-bytes.
//            Memory: the pairs, and nodes² bytes. Repeatable: the same seed gives the same placement.
#pragma once

#include <cstdint>
#include <vector>

#include "platforms/placement.hpp"

namespace reprise::platforms {

struct SentBytes {
  std::uint32_t to = 0;  // a rank
  std::uint64_t bytes = 0;
};
using RankTraffic = std::vector<std::vector<SentBytes>>;  // by sender; a receiver at most once

// REQUIRES: as many locations as rows, receivers among them.
double hop_bytes(const RankTraffic&, const Platform&, const std::vector<RankLocation>&);

// Listed by node; each rank of the traffic has one. The order says which nodes they are.
Placement search_placement(const RankTraffic&, const Platform&, std::uint64_t seed,
                           const NodeOrder& = {});

}  // namespace reprise::platforms
