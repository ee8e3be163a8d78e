// SPDX-License-Identifier: MIT
// Which algorithm an MPI library takes, as data: rows in order, the first that fits decides, and in it the first cut whose size is
// above the operation's.
//
// Sizes as selection.hpp counts them: the vector of bcast, reductions, scans and reduce_scatter; one block of gather, scatter,
// allgather, alltoall, reduce_scatter_block; the mean block of allgatherv; 0 elsewhere.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "trace-io/model/procedure.hpp"

namespace reprise::sim {

inline constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

struct TableRow {
  // What must hold besides the number of members; all of what is set.
  enum When : std::uint8_t {
    kAny = 0,
    kOrdered = 1,  // a reduction whose operands must keep their order
    kCommuting = 2,
    kPowerOfTwo = 4,    // the number of members is one
    kTwoLevels = 8,     // several nodes, one of which has several members
    kFewElements = 16,  // fewer elements than the largest power of two among the members
    kTotal = 32,        // sizes of cuts are those of all members' blocks together
  };
  struct Cut {
    std::uint64_t below;  // bytes
    std::string_view algorithm;
  };
  trace_io::Collective operation;
  std::uint8_t when;
  std::uint64_t members_below;
  std::vector<Cut> cuts;
};
using Table = std::vector<TableRow>;

const Table& open_mpi_4_1_table();
const Table& mpich_4_0_table();
const Table& smpi_table();

}  // namespace reprise::sim
