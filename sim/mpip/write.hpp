// SPDX-License-Identifier: MIT
// Writes a report in mpiP 3.5's verbose form, byte for byte as mpiP prints it with its default number format.
//
// Source   mpiP 3.5, report.c. Reading a verbose report and writing it again gives the same bytes.
// Limits   the concise form and -e are not written. REQUIRES: !concise && !fixed_point.
#pragma once

#include <string>

#include "sim/mpip/report.hpp"

namespace reprise::sim::mpip {

std::string write_report(const Report&);

}  // namespace reprise::sim::mpip
