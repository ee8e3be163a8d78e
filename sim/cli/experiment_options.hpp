// SPDX-License-Identifier: MIT
// The options by which a verb that replays says on what machine, and what is to be different: an experiment.
#pragma once

#include <boost/program_options.hpp>
#include <string>

#include "sim/experiment/experiment.hpp"

namespace reprise::cli {

// In place of a network model's name: all that can simulate in one process, side by side.
inline constexpr const char* kAllNetworks = "all";

void add_experiment_options(boost::program_options::options_description&);
// All that the options say, with the positional FILE of the verb; the machine and the trace are read later. Throws InputError.
sim::Experiment experiment_of(const boost::program_options::variables_map&,
                              const std::string& verb);

}  // namespace reprise::cli
