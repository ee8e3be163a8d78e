// SPDX-License-Identifier: MIT
// SMPI's own algorithms, which its replay takes unless told otherwise (smpi/coll-selector:default): SimGrid 3.32,
// src/smpi/colls/smpi_default_selector.cpp, smpi_nbc_impl.cpp and smpi_coll.cpp; alltoall uses Open MPI's thresholds there
// (smpi_openmpi_selector.cpp). A reduce_scatter with shares of different sizes is taken as one with equal ones.
#include "sim/collectives/tables/table.hpp"

namespace reprise::sim {

using trace_io::Collective;

const Table& smpi_table() {
  static const Table table = [] {
    constexpr auto kAny = TableRow::kAny, kOrdered = TableRow::kOrdered;
    Table made = {
        {Collective::barrier, kAny, kUnlimited, {{kUnlimited, "linear"}}},
        {Collective::bcast, kAny, kUnlimited, {{kUnlimited, "binomial"}}},
        {Collective::reduce, kOrdered, kUnlimited, {{kUnlimited, "linear"}}},
        {Collective::reduce, kAny, kUnlimited, {{kUnlimited, "linear_nb"}}},
        {Collective::allreduce, kAny, kUnlimited, {{kUnlimited, "linear_nb_binomial"}}},
        {Collective::scan, kAny, kUnlimited, {{kUnlimited, "linear_nb"}}},
        {Collective::exscan, kAny, kUnlimited, {{kUnlimited, "linear_nb"}}},
        {Collective::gather, kAny, kUnlimited, {{kUnlimited, "linear_nb"}}},
        {Collective::scatter, kAny, kUnlimited, {{kUnlimited, "linear_nb"}}},
        {Collective::allgather, kAny, kUnlimited, {{kUnlimited, "linear_nb"}}},
        {Collective::allgatherv, kAny, kUnlimited, {{kUnlimited, "linear_nb"}}},
        {Collective::reduce_scatter, kAny, kUnlimited, {{kUnlimited, "nonoverlapping"}}},
        {Collective::reduce_scatter_block, kAny, kUnlimited, {{kUnlimited, "nonoverlapping"}}},
    };
    for (const TableRow& row : open_mpi_4_1_table()) {
      if (row.operation != Collective::alltoall) continue;
      made.push_back(row);
      for (TableRow::Cut& cut : made.back().cuts)
        if (cut.algorithm == "pairwise") cut.algorithm = "exclusive_or";
    }
    return made;
  }();
  return table;
}

}  // namespace reprise::sim
