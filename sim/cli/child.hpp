// SPDX-License-Identifier: MIT
// Child processes of the command: run to the end with signals passed on, or run for their output.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace reprise::cli {

using Environment = std::vector<std::pair<std::string, std::string>>;

// Runs with our standard streams and the additional variables. Signals sent to us are passed on (job_signals.hpp). Returns the shell's
// status: the exit status, or 128 + signal. Throws InputError where it cannot be run.
int run_child(const std::vector<std::string>& command, const Environment&);

// Becomes the command. Throws InputError where it cannot be run, else does not return.
void become(const std::vector<std::string>& command, const Environment&);

// What the command writes on stdout; stderr is dropped. Empty where it cannot be run.
std::string output_of(const std::vector<std::string>& command);

}  // namespace reprise::cli
