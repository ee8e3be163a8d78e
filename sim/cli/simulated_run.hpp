// SPDX-License-Identifier: MIT
// A replay as mpiP would have seen it: for reports of simulated runs, and for holding a prediction against a measurement.
#pragma once

#include "sim/engine/observe/observation.hpp"
#include "sim/outcome.hpp"
#include "sim/validation/run_record.hpp"

namespace reprise::cli {

// REQUIRES: the observation watched calls. `platform`: its name.
sim::validation::RunRecord simulated_record(const trace_io::Trace&, const sim::Outcome&,
                                            const sim::Observation&, const std::string& platform);

}  // namespace reprise::cli
