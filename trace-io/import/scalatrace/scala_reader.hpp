// SPDX-License-Identifier: MIT
// Reads ScalaTrace's text files into records. See scalatrace_import.hpp for the form.
//
// Cost    O(bytes of the files); memory likewise: a record holds the values of all ranks, and is what several ranks share.
// Errors  InputError with file and line: lines of no known kind, records cut off or left out, unknown operations, rank lists that name a rank
//         twice, numbers that are none.
#pragma once

#include <string>
#include <vector>

#include "trace-io/import/scalatrace/scala_records.hpp"

namespace reprise::trace_io {

ScalaTrace read_scalatrace(const std::vector<std::string>& files);

// Whether the file begins as one of ScalaTrace does.
bool is_scalatrace(const std::string& path);

}  // namespace reprise::trace_io
