// SPDX-License-Identifier: MIT
// Programs built with -fsanitize=address and its shared runtime (gcc's usual way) end at once behind a preloaded library: "ASan runtime
// does not come first in initial library list". ASAN_OPTIONS=verify_asan_link_order=0 lets them go on.
#pragma once

#include <optional>
#include <string>

#include "sim/cli/launcher.hpp"

namespace reprise::cli {

// The first program of the command that loads that runtime, as it is written there; each program of `mpirun -n 1 ./a : -n 1 ./b` is looked
// at. None where there is none, or where only a script knows the program.
std::optional<std::string> sanitized_program(const Launch&);

// Adds the option to `variables`, behind what the user has in ASAN_OPTIONS, or to the command where that sets ASAN_OPTIONS for the ranks
// (-x, -genv, env), since the launcher would prefer it. Returns false where the user has set verify_asan_link_order: his stays.
bool allow_preloading(Launch&, Environment& variables);

}  // namespace reprise::cli
