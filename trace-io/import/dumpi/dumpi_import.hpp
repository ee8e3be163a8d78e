// SPDX-License-Identifier: MIT
// DUMPI traces (sst-dumpi, SST/macro) as traces of ours.
//
// Given    the .meta file, the .bin files of all ranks in their order, or one of them: the others have its name with other last numbers.
//          How many there must be is said by the .meta file and by the ranks' calls of MPI_Comm_size on the world.
// Read     twice: first for the calls that make communicators (dumpi_communicators.hpp), then for all calls.
// Times    wall times from the first call of each rank on; CPU times, with a notice, where a file has no others.
// Errors   InputError with file and record: cut off, damaged, of no known procedure; ranks whose file is missing.
// Losses   calls on communicators that cannot be told, datatypes without a size, windows and files: as time only. Persistent requests:
//          their starts are sends and receives. MPI_IN_PLACE, which DUMPI does not record. Calls that its footer counts, without record.
// Source   sst-dumpi 13 (dumpi/common), of the traces of versions 0.5 to 1.1.
#pragma once

#include <string>
#include <vector>

#include "trace-io/import/ranks/import_settings.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

Trace import_dumpi(const std::vector<std::string>& files, const ImportSettings&);

}  // namespace reprise::trace_io
