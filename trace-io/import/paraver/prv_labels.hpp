// SPDX-License-Identifier: MIT
// What the numbers of a Paraver trace mean: its .pcf names event types and their values, its .row the nodes.
//
// Errors   InputError where the .pcf is missing: without it no event has a meaning, and none is guessed.
// Source   Paraver configuration and semantic files (.pcf, .row), BSC.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace-io/import/ranks/imported_job.hpp"
#include "trace-io/import/ranks/treatment.hpp"
#include "trace-io/model/procedure.hpp"

namespace reprise::trace_io {

// What an event type is to an import.
struct PrvType {
  enum class What : std::uint8_t {
    other,
    mpi,          // entry and exit of MPI calls; values are procedures, 0 the exit
    caller,       // of an MPI call at some level, 1 the innermost: values are functions
    caller_line,  // likewise: values are "LINE (FILE, MODULE)"
    function,     // entry and exit of user functions
    send_size,    // of a collective, as the next
    receive_size,
    is_root,
    communicator,
    field,  // what an export of ours has attached
    counter,
  };
  What what = What::other;
  std::uint32_t level = 0;  // of callers; of fields, which word
  std::unordered_map<std::int64_t, std::string> values;
};

struct PrvProcedure {
  std::string name;
  Treatment treatment = Treatment::no_mpi;
  Procedure row;
};

struct PrvLabels {
  std::unordered_map<std::int64_t, PrvType> types;
  std::unordered_map<std::int64_t, std::unordered_map<std::int64_t, PrvProcedure>> procedures;
  std::vector<std::string> nodes;
};

// Of the trace NAME.prv or NAME.prv.gz: from NAME.pcf and, if it is there, NAME.row.
PrvLabels read_prv_labels(const std::string& trace);

}  // namespace reprise::trace_io
