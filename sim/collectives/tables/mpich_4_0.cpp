// SPDX-License-Identifier: MIT
// MPICH 4.0: maint/tuning/coll/mpir/generic.json of version 4.0.2, and for what goes in two levels by node
// maint/tuning/coll/ch4/generic.json (compositions alpha and beta in src/mpid/ch4/src/ch4_coll_impl.h).
//
// Inside a node MPICH may use shared memory where this takes messages. Operators made by the program that commute count as built
// in. Scans in two levels are taken as recursive doubling. The non-commutative reduce_scatter is the butterfly, whose last exchange
// MPICH saves by permuting the blocks beforehand.
#include "sim/collectives/tables/table.hpp"

namespace reprise::sim {

using trace_io::Collective;

const Table& mpich_4_0_table() {
  constexpr auto kAny = TableRow::kAny, kOrdered = TableRow::kOrdered,
                 kPowerOfTwo = TableRow::kPowerOfTwo, kTwoLevels = TableRow::kTwoLevels,
                 kFewElements = TableRow::kFewElements, kTotal = TableRow::kTotal;
  constexpr std::uint8_t kTwoLevelsPowerOfTwo = kTwoLevels | kPowerOfTwo,
                         kTwoLevelsCommuting = kTwoLevels | TableRow::kCommuting,
                         kTotalPowerOfTwo = kTotal | kPowerOfTwo,
                         kOrderedPowerOfTwo = kOrdered | kPowerOfTwo;
  // clang-format off
  static const Table table = {
      {Collective::barrier, kTwoLevels, kUnlimited, {{kUnlimited, "two_level"}}},
      {Collective::barrier, kAny, kUnlimited, {{kUnlimited, "dissemination"}}},
      {Collective::bcast, kTwoLevels, 8, {{kUnlimited, "two_level"}}},
      {Collective::bcast, kTwoLevelsPowerOfTwo, kUnlimited, {{524288, "two_level"}, {kUnlimited, "scatter_ring"}}},
      {Collective::bcast, kTwoLevels, kUnlimited, {{12288, "two_level"}, {kUnlimited, "scatter_ring"}}},
      {Collective::bcast, kAny, 8, {{kUnlimited, "binomial"}}},
      {Collective::bcast, kPowerOfTwo, kUnlimited, {{12289, "binomial"}, {524289, "scatter_recursive_doubling"},
       {kUnlimited, "scatter_ring"}}},
      {Collective::bcast, kAny, kUnlimited, {{12289, "binomial"}, {kUnlimited, "scatter_ring"}}},
      {Collective::reduce, kTwoLevelsCommuting, kUnlimited, {{kUnlimited, "two_level"}}},
      {Collective::reduce, kOrdered, kUnlimited, {{kUnlimited, "binomial"}}},
      {Collective::reduce, kFewElements, kUnlimited, {{kUnlimited, "binomial"}}},
      {Collective::reduce, kAny, kUnlimited, {{2049, "binomial"}, {kUnlimited, "rabenseifner"}}},
      {Collective::allreduce, kTwoLevelsCommuting, kUnlimited, {{kUnlimited, "two_level"}}},
      {Collective::allreduce, kOrdered, kUnlimited, {{kUnlimited, "recursive_doubling"}}},
      {Collective::allreduce, kFewElements, kUnlimited, {{kUnlimited, "recursive_doubling"}}},
      {Collective::allreduce, kAny, kUnlimited, {{9, "recursive_doubling"}, {kUnlimited, "reduce_scatter_allgather"}}},
      {Collective::scan, kAny, kUnlimited, {{kUnlimited, "recursive_doubling"}}},
      {Collective::exscan, kAny, kUnlimited, {{kUnlimited, "recursive_doubling"}}},
      {Collective::gather, kAny, kUnlimited, {{kUnlimited, "binomial"}}},
      {Collective::scatter, kAny, kUnlimited, {{kUnlimited, "binomial"}}},
      {Collective::allgather, kTotalPowerOfTwo, kUnlimited, {{524288, "recursive_doubling"}, {kUnlimited, "ring"}}},
      {Collective::allgather, kTotal, kUnlimited, {{81920, "bruck"}, {kUnlimited, "ring"}}},
      {Collective::allgatherv, kTotalPowerOfTwo, kUnlimited, {{524288, "recursive_doubling"}, {kUnlimited, "ring"}}},
      {Collective::allgatherv, kTotal, kUnlimited, {{81920, "bruck"}, {kUnlimited, "ring"}}},
      {Collective::alltoall, kAny, 8, {{32769, "scattered"}, {kUnlimited, "exclusive_or"}}},
      {Collective::alltoall, kAny, kUnlimited, {{257, "bruck"}, {32769, "scattered"}, {kUnlimited, "exclusive_or"}}},
      {Collective::alltoallv, kAny, kUnlimited, {{kUnlimited, "scattered"}}},
      {Collective::alltoallw, kAny, kUnlimited, {{kUnlimited, "scattered"}}},
      {Collective::reduce_scatter, kOrderedPowerOfTwo, kUnlimited, {{kUnlimited, "butterfly"}}},
      {Collective::reduce_scatter, kOrdered, kUnlimited, {{kUnlimited, "recursive_doubling"}}},
      {Collective::reduce_scatter, kAny, kUnlimited, {{524288, "recursive_halving"}, {kUnlimited, "pairwise"}}},
      {Collective::reduce_scatter_block, kOrderedPowerOfTwo, kUnlimited, {{kUnlimited, "butterfly"}}},
      {Collective::reduce_scatter_block, kOrdered, kUnlimited, {{kUnlimited, "recursive_doubling"}}},
      {Collective::reduce_scatter_block, kTotal, kUnlimited, {{524288, "recursive_halving"}, {kUnlimited, "pairwise"}}},
  };
  // clang-format on
  return table;
}

}  // namespace reprise::sim
