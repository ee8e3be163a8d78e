// SPDX-License-Identifier: MIT
// Reads a report of mpiP: every section of the verbose and the concise form.
//
// Order    sections may come in any order, may be missing, and unknown ones are refused by name: nothing is skipped silently.
// Columns  call sites are read by the columns of their heading, since file and function names hold blanks (C++); all other
//          rows are read by fields.
// Errors   InputError{"FILE:LINE", …}: not an mpiP report, a damaged row, a call site that is not in the list, a report that
//          does not reach "End of Report".
// Cost     O(bytes).
#pragma once

#include <string>
#include <string_view>

#include "sim/mpip/report.hpp"

namespace reprise::sim::mpip {

Report read_report(std::string_view text, const std::string& file);
Report load_report(const std::string& path);

}  // namespace reprise::sim::mpip
