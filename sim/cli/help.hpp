// SPDX-License-Identifier: MIT
// The text that `reprise VERB --help` prints: usage, explanation, one row for each option.
#pragma once

#include <string>

#include "sim/cli/options.hpp"

namespace reprise::cli {

std::string help_text(const Syntax&);

}  // namespace reprise::cli
