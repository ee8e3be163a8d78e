// SPDX-License-Identifier: MIT
// The binary form of a trace: to and from bytes, to and from files. FORMAT.md is normative.
//
// Reader  trusts nothing: every length, count and index is checked against the bytes left and the tables read so far, memory
//         grows only with the bytes read, and damage ends in InputError{"FILE", "what at which byte", "remedy"}.
// Writer  save() writes a temporary file beside the target, syncs and renames it: a trace is complete or not there.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "trace-io/file/format.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Throws InputError for more frames in a path or loops in each other than the format has room for (format.hpp).
std::vector<std::byte> serialise(const Trace&);
// `name` stands for the bytes in errors (a path, or "from rank 3").
Trace deserialise(std::span<const std::byte>, const std::string& name);

void save(const Trace&,
          const std::string& path);  // throws InputError naming the path and the system's reason
Trace load(const std::string& path);
// The two without the coding: for a file that serialise() has made, and for deserialise().
void save_bytes(std::span<const std::byte>, const std::string& path);
std::vector<std::byte> file_bytes(const std::string& path);

}  // namespace reprise::trace_io
