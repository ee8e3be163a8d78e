// SPDX-License-Identifier: MIT
// The schedules that the registry offers, one line each: algorithm, rounds, source. n members, m bytes.
//
// Names after Thakur, Rabenseifner and Gropp, "Optimization of Collective Communication Operations in MPICH", IJHPCA 19(1), 2005,
// which describes binomial trees, recursive doubling, ring and pairwise exchange; dissemination: Hensgen, Finkel and Manber,
// "Two Algorithms for Barrier Synchronization", IJPP 17(1), 1988.
#pragma once

#include "sim/collectives/schedule.hpp"

namespace reprise::sim {

bool dissemination_barrier(const CollectiveCall&, std::uint32_t round, Steps&);    // ⌈log2 n⌉ rounds of empty messages
bool binomial_bcast(const CollectiveCall&, std::uint32_t round, Steps&);           // one round per child, largest subtree first
bool binomial_reduce(const CollectiveCall&, std::uint32_t round, Steps&);          // not commutative: to rank 0, then the root
bool recursive_doubling_allreduce(const CollectiveCall&, std::uint32_t round, Steps&);  // surplus over 2^k folded into neighbours
bool binomial_gather(const CollectiveCall&, std::uint32_t round, Steps&);
bool binomial_scatter(const CollectiveCall&, std::uint32_t round, Steps&);
bool linear_gatherv(const CollectiveCall&, std::uint32_t round, Steps&);           // nothing is sent where there is nothing
bool linear_scatterv(const CollectiveCall&, std::uint32_t round, Steps&);
bool ring_allgather(const CollectiveCall&, std::uint32_t round, Steps&);           // n − 1 rounds of one block; also allgatherv
bool pairwise_alltoall(const CollectiveCall&, std::uint32_t round, Steps&);        // n − 1 rounds: to rank + k, from rank − k
bool linear_alltoallv(const CollectiveCall&, std::uint32_t round, Steps&);         // one round; also alltoallw
bool pairwise_reduce_scatter(const CollectiveCall&, std::uint32_t round, Steps&);  // n − 1 rounds; not commutative: allreduce
bool recursive_doubling_scan(const CollectiveCall&, std::uint32_t round, Steps&);  // also exscan
bool linear_neighborhood(const CollectiveCall&, std::uint32_t round, Steps&);      // one round, all five operations

// Between groups: trees over the root and the other group; or reduce in the group, leaders exchange, spread in the group.
bool inter_barrier(const CollectiveCall&, std::uint32_t round, Steps&);
bool inter_bcast(const CollectiveCall&, std::uint32_t round, Steps&);
bool inter_reduce(const CollectiveCall&, std::uint32_t round, Steps&);
bool inter_gather(const CollectiveCall&, std::uint32_t round, Steps&);   // linear; also gatherv
bool inter_scatter(const CollectiveCall&, std::uint32_t round, Steps&);  // linear; also scatterv
bool inter_alltoall(const CollectiveCall&, std::uint32_t round, Steps&); // linear; all of allgather(v), alltoall(v, w)
bool inter_allreduce(const CollectiveCall&, std::uint32_t round, Steps&);
bool inter_reduce_scatter(const CollectiveCall&, std::uint32_t round, Steps&);

}  // namespace reprise::sim
