// SPDX-License-Identifier: MIT
// The fields of a collective call of which a file tells two sums: what this rank sent and what it received.
//
// Tools count differently. Score-P counts a block for each member that it goes to or comes from, the rank itself among them: an Allreduce of
// b bytes on n ranks is n·b sent and n·b received, a Bcast n·b sent at the root and b received everywhere. Extrae counts the
// rank's own arguments: b and b.
// Source  Score-P 8, src/adapters/mpi/scorep_mpi_coll.c; Extrae 4, src/tracer/wrappers/MPI/mpi_wrapper_coll_c.c.
//
// What the sums cannot say is assumed and counted by who calls this: how the vectors of v-collectives are divided (evenly), the
// size of a reduction's elements (the largest of 8, 4, 2 and 1 bytes that divides the whole), that its operation commutes,
// and that MPI_IN_PLACE was not given where the sums would be the same.
#pragma once

#include <cstdint>

#include "trace-io/import/ranks/imported_rank.hpp"
#include "trace-io/model/procedure.hpp"

namespace reprise::trace_io {

struct CollectiveSums {
  std::uint64_t sent = 0, received = 0;  // bytes
  std::int32_t size = 1,
               me = 0;  // of the communicator (of its remote group), this rank's place in it
  std::int64_t root = kNoPeer;  // as a code
  bool is_root = false;
};

enum class CountedBytes : std::uint8_t {
  every_block,    // Score-P
  own_arguments,  // Extrae
};

// What had to be assumed.
struct AssumedSizes {
  bool vectors = false, elements = false, remainder = false;
};

// Adds the fields after `comm` to the call, without a request.
AssumedSizes add_collective_fields(ImportedCall&, Collective, const CollectiveSums&, CountedBytes);

// The other way: the sums that Score-P (or Extrae) would have counted for these fields, `comm` the first of the scalars.
CollectiveSums collective_sums(Collective, std::span<const std::int64_t> scalars,
                               std::span<const std::span<const std::int64_t>> vectors,
                               std::int32_t size, std::int32_t me, CountedBytes);

}  // namespace reprise::trace_io
