// SPDX-License-Identifier: MIT
// What a trace keeps of completions, in the text form (SYNTAX.md): the statement `completions`, and the attribute `further_calls` of a call.
#pragma once

#include <string>
#include <vector>

#include "trace-io/model/completions.hpp"
#include "trace-io/text/scanner.hpp"

namespace reprise::trace_io {

// One line, with its end.
std::string completions_text(const CompletionRecord&);
// Behind the word "completions". Throws InputError.
CompletionRecord read_completions(Scanner&);

// "[0/3, 2/-1]": on rank 0 three calls more than it executes, on rank 2 one less.
std::string further_calls_text(const std::vector<FurtherCalls>&);
// Throws InputError; their order is check_structure()'s affair.
std::vector<FurtherCalls> read_further_calls(Scanner&, std::int32_t ranks);

}  // namespace reprise::trace_io
