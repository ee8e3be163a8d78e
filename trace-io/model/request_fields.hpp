// SPDX-License-Identifier: MIT
// Which of a procedure's fields are numbers of requests, and what its calls do to these requests.
//
// Some    calls that complete some of several requests (MPI_Waitany and its like) name them in `requests` and end those in `completed`.
// Cost    request_fields() O(fields of the procedure).
#pragma once

#include <cstdint>

#include "trace-io/model/procedure.hpp"

namespace reprise::trace_io {

bool is_of_requests(Field);

enum class RequestEnding : std::uint8_t { none, complete, freed };

// Where a leaf's fields have numbers of requests, and what the call does to them.
struct RequestFields {
  enum class Use : std::uint8_t { none, starts, names, completes };
  Use use = Use::none;
  RequestEnding ending = RequestEnding::complete;
  bool is_persistent = false;
  int request = -1;                   // among the scalars
  int requests = -1, completed = -1;  // among the vectors; completed: those that end, if not all do
};
RequestFields request_fields(const Procedure&);

}  // namespace reprise::trace_io
