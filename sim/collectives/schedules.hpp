// SPDX-License-Identifier: MIT
// The schedules that the registry offers, one line each: algorithm, rounds, source. n members, m bytes.
//
// Names after Thakur, Rabenseifner and Gropp, "Optimization of Collective Communication Operations in MPICH", IJHPCA 19(1), 2005,
// which describes binomial trees, recursive doubling, ring and pairwise exchange; dissemination: Hensgen, Finkel and Manber,
// "Two Algorithms for Barrier Synchronization", IJPP 17(1), 1988.
#pragma once

#include "sim/collectives/schedule.hpp"

namespace reprise::sim {

bool dissemination_barrier(const CollectiveCall&, std::uint32_t round,
                           Steps&);  // ⌈log2 n⌉ rounds of empty messages
bool binomial_bcast(const CollectiveCall&, std::uint32_t round,
                    Steps&);  // one round per child, largest subtree first
bool binomial_reduce(const CollectiveCall&, std::uint32_t round,
                     Steps&);  // not commutative: to rank 0, then the root
bool recursive_doubling_allreduce(const CollectiveCall&, std::uint32_t round,
                                  Steps&);  // surplus over 2^k folded into neighbours
bool binomial_gather(const CollectiveCall&, std::uint32_t round, Steps&);
bool binomial_scatter(const CollectiveCall&, std::uint32_t round, Steps&);
bool linear_gatherv(const CollectiveCall&, std::uint32_t round,
                    Steps&);  // nothing is sent where there is nothing
bool linear_scatterv(const CollectiveCall&, std::uint32_t round, Steps&);
bool ring_allgather(const CollectiveCall&, std::uint32_t round,
                    Steps&);  // n − 1 rounds of one block; also allgatherv
bool linear_alltoallv(const CollectiveCall&, std::uint32_t round,
                      Steps&);  // one round; also alltoallw
bool pairwise_reduce_scatter(const CollectiveCall&, std::uint32_t round,
                             Steps&);  // n − 1 rounds; not commutative: allreduce
bool recursive_doubling_reduce_scatter(const CollectiveCall&, std::uint32_t round,
                                       Steps&);  // of the whole vector
bool recursive_doubling_scan(const CollectiveCall&, std::uint32_t round, Steps&);  // also exscan
bool linear_neighborhood(const CollectiveCall&, std::uint32_t round,
                         Steps&);  // one round, all five operations

// Barriers.
bool linear_barrier(const CollectiveCall&, std::uint32_t round, Steps&);       // to rank 0 and back
bool double_ring_barrier(const CollectiveCall&, std::uint32_t round, Steps&);  // twice around
bool recursive_doubling_barrier(const CollectiveCall&, std::uint32_t round, Steps&);
bool tree_barrier(const CollectiveCall&, std::uint32_t round,
                  Steps&);  // up and down a binomial tree

// Over trees, in segments (tree_bcast.cpp).
bool linear_bcast(const CollectiveCall&, std::uint32_t round, Steps&);    // all at once
bool chain_bcast(const CollectiveCall&, std::uint32_t round, Steps&);     // `fanout` chains
bool pipeline_bcast(const CollectiveCall&, std::uint32_t round, Steps&);  // one chain
bool binary_bcast(const CollectiveCall&, std::uint32_t round, Steps&);
bool doubling_bcast(const CollectiveCall&, std::uint32_t round,
                    Steps&);  // round by round to as many more
bool knomial_bcast(const CollectiveCall&, std::uint32_t round,
                   Steps&);  // base `fanout`, 4 unless given
bool split_binary_bcast(const CollectiveCall&, std::uint32_t round,
                        Steps&);  // a half of the data down each subtree
bool linear_reduce(const CollectiveCall&, std::uint32_t round,
                   Steps&);  // one after the other, from the last rank down
bool linear_nb_reduce(const CollectiveCall&, std::uint32_t round, Steps&);  // all at once
bool chain_reduce(const CollectiveCall&, std::uint32_t round, Steps&);
bool pipeline_reduce(const CollectiveCall&, std::uint32_t round, Steps&);
bool binary_reduce(const CollectiveCall&, std::uint32_t round, Steps&);
bool binomial_tree_reduce(const CollectiveCall&, std::uint32_t round,
                          Steps&);  // from all children at once
bool in_order_binary_reduce(const CollectiveCall&, std::uint32_t round,
                            Steps&);  // keeps operands in order

// Large data in pieces (scatter_bcast.cpp, allreduces.cpp).
bool scatter_ring_bcast(const CollectiveCall&, std::uint32_t round, Steps&);
bool scatter_doubling_bcast(const CollectiveCall&, std::uint32_t round, Steps&);
bool rabenseifner_reduce(const CollectiveCall&, std::uint32_t round, Steps&);
bool rabenseifner_allreduce(const CollectiveCall&, std::uint32_t round, Steps&);  // Open MPI's cuts
bool halving_allreduce(const CollectiveCall&, std::uint32_t round, Steps&);       // MPICH's cuts
bool plain_ring_allreduce(const CollectiveCall&, std::uint32_t round, Steps&);
bool ring_allreduce(const CollectiveCall&, std::uint32_t round, Steps&);  // blocks in segments
bool linear_allreduce(const CollectiveCall&, std::uint32_t round,
                      Steps&);  // linear reduce to rank 0, linear bcast
bool linear_nb_binomial_allreduce(const CollectiveCall&, std::uint32_t round,
                                  Steps&);  // all to rank 0 at once, binomial bcast

// One block per member (gathers.cpp, exchanges.cpp, reduce_scatters.cpp).
bool linear_gather(const CollectiveCall&, std::uint32_t round, Steps&);     // one after the other
bool linear_nb_gather(const CollectiveCall&, std::uint32_t round, Steps&);  // all at once
bool linear_sync_gather(const CollectiveCall&, std::uint32_t round,
                        Steps&);                                          // the root asks for each
bool linear_scatter(const CollectiveCall&, std::uint32_t round, Steps&);  // one after the other
bool linear_nb_scatter(const CollectiveCall&, std::uint32_t round, Steps&);  // all at once
bool bruck_allgather(const CollectiveCall&, std::uint32_t round, Steps&);
bool recursive_doubling_allgather(const CollectiveCall&, std::uint32_t round,
                                  Steps&);  // n not a power of two: Bruck
bool neighbor_exchange_allgather(const CollectiveCall&, std::uint32_t round,
                                 Steps&);  // n odd: ring
bool linear_nb_allgather(const CollectiveCall&, std::uint32_t round,
                         Steps&);  // everyone with everyone at once
bool gather_bcast_allgather(const CollectiveCall&, std::uint32_t round,
                            Steps&);  // to rank 0, binomial bcast
bool linear_alltoall(const CollectiveCall&, std::uint32_t round,
                     Steps&);  // everyone with everyone at once; also v and w
bool scattered_alltoall(const CollectiveCall&, std::uint32_t round,
                        Steps&);  // the same in batches of `fanout`, 32 unless given
bool ring_alltoall(const CollectiveCall&, std::uint32_t round,
                   Steps&);  // to rank + k, from rank − k; also v and w
bool pairwise_exclusive_or_alltoall(const CollectiveCall&, std::uint32_t round,
                                    Steps&);  // with rank xor k; n not a power of two: ring
bool bruck_alltoall(const CollectiveCall&, std::uint32_t round, Steps&);
bool recursive_halving_reduce_scatter(const CollectiveCall&, std::uint32_t round, Steps&);
bool butterfly_reduce_scatter(const CollectiveCall&, std::uint32_t round,
                              Steps&);  // keeps operands in order
bool ring_reduce_scatter(const CollectiveCall&, std::uint32_t round, Steps&);
bool linear_scan(const CollectiveCall&, std::uint32_t round, Steps&);  // from rank to rank
bool linear_nb_scan(const CollectiveCall&, std::uint32_t round,
                    Steps&);  // to everyone above at once

// In stages (stages.cpp). Two levels: inside nodes and between their first members; what is asked of a stage is chosen anew.
bool nonoverlapping_allreduce(const CollectiveCall&, std::uint32_t number,
                              Stage&);  // reduce to rank 0, bcast
bool nonoverlapping_reduce_scatter(const CollectiveCall&, std::uint32_t number,
                                   Stage&);  // reduce to rank 0, scatter(v)
bool two_level_barrier(const CollectiveCall&, std::uint32_t number, Stage&);
bool two_level_bcast(const CollectiveCall&, std::uint32_t number, Stage&);
bool two_level_reduce(const CollectiveCall&, std::uint32_t number, Stage&);
bool two_level_allreduce(const CollectiveCall&, std::uint32_t number, Stage&);

// Between groups: trees over the root and the other group; or reduce in the group, leaders exchange, spread in the group.
bool inter_barrier(const CollectiveCall&, std::uint32_t round, Steps&);
bool inter_bcast(const CollectiveCall&, std::uint32_t round, Steps&);
bool inter_reduce(const CollectiveCall&, std::uint32_t round, Steps&);
bool inter_gather(const CollectiveCall&, std::uint32_t round, Steps&);   // linear; also gatherv
bool inter_scatter(const CollectiveCall&, std::uint32_t round, Steps&);  // linear; also scatterv
bool inter_alltoall(const CollectiveCall&, std::uint32_t round,
                    Steps&);  // linear; all of allgather(v), alltoall(v, w)
bool inter_allreduce(const CollectiveCall&, std::uint32_t round, Steps&);
bool inter_reduce_scatter(const CollectiveCall&, std::uint32_t round, Steps&);

}  // namespace reprise::sim
