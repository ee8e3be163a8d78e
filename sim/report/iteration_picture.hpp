// SPDX-License-Identifier: MIT
// Iterations as SVG: the graph of the largest, median and smallest value over the ranks, and below it the value map, ranks from top to bottom.
//
// Size    960 user units wide. Ranks beyond kRows share rows, whose value is the mean; the picture says so. Light and dark follow the reader's setting.
#pragma once

#include <string>

#include "platforms/markup/markup.hpp"
#include "trace-io/iterations/iteration_table.hpp"

namespace reprise::sim::report {

// `title`: what is shown, "time per iteration"; `unit`: of the values, "s".
markup::Markup iterations_svg(const trace_io::IterationTable&, const std::string& title,
                              const std::string& unit);

}  // namespace reprise::sim::report
