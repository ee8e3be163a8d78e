// SPDX-License-Identifier: MIT
// A recorded or simulated run as the report that mpiP would have written of it: what reads mpiP's reports reads this one.
//
// As mpiP   its procedures, its bytes, its percentages, the sections of its verbose form with its default options (one frame a site).
//           What it does not time is application time.
// Header    "Timer Used" tells where the times are from. A run that nobody watched has no date: it starts at the epoch. The numbers of
//           call sites follow their names, where mpiP's follow a hash.
// Source    mpiP 3.5, report.c.
#pragma once

#include "sim/mpip/report.hpp"
#include "sim/validation/run_record.hpp"

namespace reprise::sim::validation {

// `folder`: what the report names as its output folder.
mpip::Report report_of(const RunRecord&, const std::string& folder);

}  // namespace reprise::sim::validation
