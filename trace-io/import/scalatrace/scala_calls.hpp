// SPDX-License-Identifier: MIT
// The fields of a rank's calls at one record of a ScalaTrace file.
//
// How    calls are described one after the other, each with the next values of its parameters, until these begin anew; what is then known
//        is repeated as often as the rank makes the call.
// Peers  of point-to-point calls are the file's distance from the own rank, modulo the number of all ranks; that of a process outside of the
//        communicator can only be MPI_PROC_NULL's. In MPI_COMM_WORLD MPI_PROC_NULL cannot be told from a rank.
// Cost   O(calls until the parameters begin anew), at most kMostDescribed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace-io/import/ranks/imported_rank.hpp"
#include "trace-io/import/scalatrace/scala_communicators.hpp"
#include "trace-io/import/scalatrace/scala_messages.hpp"
#include "trace-io/import/scalatrace/scala_program.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Elements in the lists of one field of one record.
inline constexpr std::uint64_t kMostDescribed = std::uint64_t{1} << 22;

// One per field of the procedure. What had to be assumed is a loss of the rank; messages are counted.
std::vector<FieldValues> described_calls(const ScalaTrace&, const ScalaProgram&, std::uint32_t step,
                                         const ScalaCommunicators&, const ImportedJob&,
                                         ImportedRank&, ScalaMessages&);

}  // namespace reprise::trace_io
