// SPDX-License-Identifier: MIT
// Algorithms of collectives in a platform's document: a range of sizes gets another one, the rest keeps what it has.
#pragma once

#include "platforms/json/document.hpp"
#include "sim/scenario/change.hpp"

namespace reprise::sim {

// REQUIRES: the document parses as a platform.
void set_algorithm(platforms::Document&, const CollectiveChange&);

}  // namespace reprise::sim
