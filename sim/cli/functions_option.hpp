// SPDX-License-Identifier: MIT
// --functions of `reprise record`: how the functions between calls of MPI are recorded, one mode or several with commas between them.
//
//   trace                   each enter and leave of functions of programs built with -finstrument-functions; timed beside it: with their times
//   sample or sample:RATE   samples by CPU time, RATE a second of each rank's
#pragma once

#include <boost/program_options.hpp>
#include <string>

namespace reprise::cli {

extern const char* const kFunctionsText;  // for help
boost::program_options::typed_value<std::string>* functions_value();
// As the recorder takes them (REPRISE_FUNCTIONS); empty for none. Throws InputError.
std::string functions(const boost::program_options::variables_map&);

}  // namespace reprise::cli
