// SPDX-License-Identifier: MIT
// Reads one field's values as the text form writes them: "peer=+1", "bytes={0: 8; 1-3: 16}", "requests=[0, 1]".
#pragma once

#include "trace-io/text/parsed_program.hpp"
#include "trace-io/text/scanner.hpp"

namespace reprise::trace_io {

ParsedField read_field(Scanner&, const FieldSpec&, std::int32_t ranks);
// A loop's iterations or exits: a number, or numbers per rank.
ParsedField read_counter(Scanner&, std::int32_t ranks);

// After "compute" or "communicate": "10us", "{0: 10us; 1-3: 20us}", or all parts of a distribution.
std::vector<ParsedClass> read_delta_classes(Scanner&, std::int32_t ranks);

}  // namespace reprise::trace_io
