// SPDX-License-Identifier: MIT
// A flame graph: which functions ranks computed in, and what called them.
//
// Picture  a box for each function on a call path, as wide as its share of the samples (inclusive), on top of the one that called it; boxes of one
//          caller by name. What is narrower than half a unit is left out. One graph for each class of ranks, one below the other.
// Source   Gregg: The Flame Graph, Communications of the ACM 59(6), 2016.
// Size     960 user units wide. Light and dark follow the reader's setting.
#pragma once

#include <string>
#include <vector>

#include "platforms/markup/markup.hpp"
#include "sim/functions/function_table.hpp"

namespace reprise::sim::report {

struct FlameGraph {
  std::string title;                // "ranks 0-3: 1 200 samples between calls"
  std::vector<FoldedStack> stacks;  // in the order of their names
};

markup::Markup flame_graphs_svg(const std::string& title, const std::vector<FlameGraph>&);

}  // namespace reprise::sim::report
