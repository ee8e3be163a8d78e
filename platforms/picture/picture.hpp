// SPDX-License-Identifier: MIT
// A picture of a machine: its switches, nodes and cables, with a table of all kinds of links.
//
// What is many is folded: the first of a row, an ellipsis with the number left out, and the last. The plane that is drawn of a torus is
// that of its first two dimensions. Self-contained SVG, light or dark as the reader's screen is.
#pragma once

#include <string>

#include "platforms/platform.hpp"

namespace reprise::platforms {

std::string picture_of(const Platform&);

}  // namespace reprise::platforms
