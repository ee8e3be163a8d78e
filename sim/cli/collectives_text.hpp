// SPDX-License-Identifier: MIT
// Which algorithms are chosen for collectives, by size: as a table and as JSON.
#pragma once

#include <cstdint>
#include <string>

#include "platforms/platform.hpp"

namespace reprise::cli {

struct CollectivesQuestion {
  std::int32_t ranks = 1;
  std::int32_t ranks_per_node = 1;
  std::string mpi_library;  // "Open MPI 4.1.4": what a trace would have been recorded with
};

// Both throw InputError for names that there are not.
std::string collectives_text(const platforms::Platform&, const CollectivesQuestion&);
std::string collectives_json(const platforms::Platform&, const CollectivesQuestion&);

}  // namespace reprise::cli
