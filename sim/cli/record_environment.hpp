// SPDX-License-Identifier: MIT
// Variables of the recorder that a user has set stand for the options of `reprise record` that are not given: REPRISE_DEPTH=64 is
// --depth 64. The plan would otherwise replace them by the options' defaults, and nobody would know.
#pragma once

#include <boost/program_options.hpp>

#include "sim/cli/verb.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::cli {

// The words "--OPTION=VALUE" of all such variables that are not empty. `given`: as parsed, with the options' defaults.
Arguments options_of_environment(const boost::program_options::variables_map& given);

// An error of an option that came from there names the variable.
InputError naming_the_variable(const InputError&, const Arguments& of_environment);

}  // namespace reprise::cli
