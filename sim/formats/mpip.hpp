// SPDX-License-Identifier: MIT
// A replay as mpiP would have seen it: for reports of simulated runs, and for comparing a prediction with a measurement.
#pragma once

#include "sim/experiment/answer.hpp"
#include "sim/validation/run_record.hpp"

namespace reprise::sim {

// REQUIRES: the ranks' calls were asked for.
validation::RunRecord run_record_of(const Answer&);
// mpiP's report of it. FILE: where it will be written; "-": stdout.
std::string mpip_report(const Answer&, const std::string& file);

}  // namespace reprise::sim
