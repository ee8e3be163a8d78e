// SPDX-License-Identifier: MIT
// What an import does with a call of an MPI procedure, by its name: the same that the recorder does with it.
//
// Events are the procedures of model/procedures.def, compute time those of local_procedures.def.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace reprise::trace_io {

enum class Treatment : std::uint8_t {
  event,       // an event with its fields (model/procedures.def)
  compute,     // local: its time is compute time, as in a recorded trace
  unmodelled,  // an event without fields, named as a loss
  no_mpi,      // no MPI procedure
};

Treatment treatment_of(std::string_view procedure);

// The name of the procedure in the words of a file: "MPI_Send()", "PMPI_Send" and "MPI_Send_c" are MPI_Send. Others stay as they are.
std::string procedure_name(std::string_view in_file);

}  // namespace reprise::trace_io
