// SPDX-License-Identifier: MIT
// What many payloads have: names of MPI's procedures, what is often said of a recording, the numbers of a small program.
//
// Why     a small trace ends before a model of its bytes has learnt much: one that has read this before needs a sixth fewer bytes for it.
// Source  numbers: a ring of persistent requests on 4 ranks, as recorded. They are a part of the format: other ones would make other files of the same bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/file/format.hpp"

namespace reprise::trace_io {

// The bytes of one column. Cost: some 1900 bytes for the text, up to 350 for others.
std::vector<std::uint8_t> usual_bytes(Column);
// Those of the table of the columns' lengths.
std::vector<std::uint8_t> usual_lengths();

}  // namespace reprise::trace_io
