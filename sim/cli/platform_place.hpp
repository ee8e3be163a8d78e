// SPDX-License-Identifier: MIT
// reprise platform place: a placement file for a trace, searched for (platforms/placement_search.hpp).
#pragma once

#include "sim/cli/verb.hpp"

namespace reprise::cli {

int platform_place(const Arguments&);

}  // namespace reprise::cli
