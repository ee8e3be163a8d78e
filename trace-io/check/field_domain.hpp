// SPDX-License-Identifier: MIT
// Which values a field may have, whatever communicator or slot they name: what an engine need not ask again at every call.
//
// Ranges   sizes from 0 to kMostBytes, tags and slots as far as an MPI integer goes, a request that a call starts is one.
// Peers    a destination is a rank or MPI_PROC_NULL, a source may be MPI_ANY_SOURCE as well, a root MPI_ROOT (MPI 3.1 §3.2.4, §3.11, §5.2.2).
//          Whether a rank is one of the communicator's takes a walk to find out: check() and the replay do.
#pragma once

#include <cstdint>
#include <string>

#include "trace-io/model/procedure.hpp"
#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {

// About the first `used` values of a field's sequence; empty where all may be. Cost: O(terms · depth), O(1) for a constant.
std::string domain_problem(const Procedure&, const FieldSpec&, const ValueSequence&,
                           std::uint64_t used);

// About one value, as imports read them. Cost: O(1).
bool is_in_domain(const Procedure&, const FieldSpec&, std::int64_t value);

}  // namespace reprise::trace_io
