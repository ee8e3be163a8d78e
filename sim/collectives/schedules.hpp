// SPDX-License-Identifier: MIT
// The collective algorithms, file by file: each file's table names its algorithms, the simple one of each operation first. Which
// schedules are made of others' is below.
//
// Add     the schedule in the file of its operation and its line in the table at that file's end: help, errors, platform files and
//         `reprise platform collectives` know it from there, and the tests of all schedules run it. docs/MODEL.md has its time.
// Fallback  a schedule that hands over to another one of its operation says so in the table, with the condition that it asks itself.
// Names   after Thakur, Rabenseifner and Gropp, "Optimization of Collective Communication Operations in MPICH", IJHPCA 19(1), 2005,
//         which describes binomial trees, recursive doubling, ring and pairwise exchange; dissemination: Hensgen, Finkel and Manber,
//         "Two Algorithms for Barrier Synchronization", IJPP 17(1), 1988.
#pragma once

#include <span>

#include "sim/collectives/schedule.hpp"

namespace reprise::sim {

std::span<const Algorithm> barriers();
std::span<const Algorithm> bcasts_and_reduces();  // over trees
std::span<const Algorithm> scatter_bcasts();      // of large data in pieces
std::span<const Algorithm> allreduces();          // and Rabenseifner's reduce
std::span<const Algorithm> scans();               // and exscan
std::span<const Algorithm> gathers_and_scatters();
std::span<const Algorithm> allgathers();
std::span<const Algorithm> exchanges();  // alltoall and neighbourhoods
std::span<const Algorithm> reduce_scatters();
std::span<const Algorithm> stages();          // algorithms made of others
std::span<const Algorithm> between_groups();  // on intercommunicators

// Schedules that others are made of. n members.
bool dissemination_barrier(const CollectiveCall&, std::uint32_t round, Steps&);  // ⌈log2 n⌉ rounds
bool binomial_bcast(const CollectiveCall&, std::uint32_t round,
                    Steps&);  // a round per child, largest subtree first
bool binomial_reduce(const CollectiveCall&, std::uint32_t round,
                     Steps&);  // not commutative: to rank 0, then the root
bool linear_bcast(const CollectiveCall&, std::uint32_t round, Steps&);  // all at once
bool linear_reduce(const CollectiveCall&, std::uint32_t round,
                   Steps&);  // one after the other, from the last rank down
bool linear_nb_reduce(const CollectiveCall&, std::uint32_t round, Steps&);  // all at once
bool recursive_doubling_allreduce(
    const CollectiveCall&, std::uint32_t round,
    Steps&);  // surplus over 2^k folded in; also of reduce_scatters' vectors
bool binomial_scatter(const CollectiveCall&, std::uint32_t round, Steps&);
bool linear_scatterv(const CollectiveCall&, std::uint32_t round,
                     Steps&);  // nothing is sent where there is nothing

}  // namespace reprise::sim
