// SPDX-License-Identifier: MIT
// The two main charts as SVG without any script: what each point's run time is made of, and how it compares with the baseline.
//
// Shown  at most 24 points: the fastest ones, and the baseline. Parts of bars differ in pattern as well as in colour.
// Size   fixed width of 960 user units, as high as it needs; scales with whatever holds it. Light and dark follow the reader's setting.
#pragma once

#include "markup/markup.hpp"
#include "sim/report/study_view.hpp"

namespace reprise::sim::report {

markup::Markup run_time_svg(const StudyView&);
// Speed-up over the baseline: over two axes of numbers as a table of colours, else as bars. Empty where nothing has a speed-up.
markup::Markup speed_up_svg(const StudyView&);

}  // namespace reprise::sim::report
