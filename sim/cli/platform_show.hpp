// SPDX-License-Identifier: MIT
// reprise platform show: a machine in words, the route between two of its nodes, its picture.
#pragma once

#include <string>

#include "platforms/platform.hpp"
#include "sim/cli/verb.hpp"

namespace reprise::cli {

int platform_show(const Arguments&);

// "fat tree of 2 levels", "torus 8×8×8"
std::string topology_of(const platforms::Platform&);
// "648 nodes of 32 cores"
std::string size_of(const platforms::Platform&);

}  // namespace reprise::cli
