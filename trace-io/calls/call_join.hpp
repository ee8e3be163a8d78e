// SPDX-License-Identifier: MIT
// What ranks have left becomes one file: the functions once for all ranks, then the streams by rank and thread.
//
// Memory  one block and the tables.  Cost  linear in what the files have.
#pragma once

#include <functional>
#include <string>

#include "trace-io/calls/call_file.hpp"

namespace reprise::trace_io {

// Gives functions their names, where it knows them.
using NameFunctions = std::function<void(CallFile&)>;

// Written beside OUTPUT and renamed: it is whole, or not there. Returns what was joined. Throws InputError, RunError (a disk that is full).
CallFile join_calls(const std::string& folder, const std::string& output, const NameFunctions&);

}  // namespace reprise::trace_io
