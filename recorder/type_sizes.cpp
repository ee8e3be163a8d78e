// SPDX-License-Identifier: MIT
#include "recorder/type_sizes.hpp"

namespace reprise::recorder {

std::int64_t TypeSizes::ask(MPI_Datatype type) {
  MPI_Count size = 0;
  PMPI_Type_size_x(type, &size);
  int integers = 0, addresses = 0, types = 0, combiner = MPI_UNDEFINED;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (combiner == MPI_COMBINER_NAMED)
    entries_[place_of(key_of(type))] = {key_of(type), static_cast<std::int64_t>(size)};
  return static_cast<std::int64_t>(size);
}

}  // namespace reprise::recorder
