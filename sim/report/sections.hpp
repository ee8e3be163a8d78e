// SPDX-License-Identifier: MIT
// What stands on a study's page. A section is added in one file: a function that returns its card, empty where the results hold nothing
// for it, and its line in that file's list (point_sections, detail_sections). What its script draws is drawn by the script's file itself (page/).
#pragma once

#include "sim/report/page.hpp"
#include "sim/report/study_view.hpp"

namespace reprise::sim::report {

// The one sentence that answers, and what else must be known to judge it: who cannot be told apart from the fastest, what the baseline
// is sensitive to, remarks and losses that all points share, how many points have no result.
Markup answer(const StudyView&);
Markup offers_section(const StudyView&);  // of a basket, or of machines with prices
Markup all_points(const StudyView&);
Markup point_sections(const StudyView&);  // over all points
Markup chart_sections(const StudyView&);  // the first of them
Markup detail_sections(
    const StudyView&);  // of the baseline: critical path, traffic, time line, call sites
Markup critical_path(const StudyView&);
Markup wait_states(const StudyView&);
Markup delay_costs(const StudyView&);
Markup functions(const StudyView&);  // of a trace whose functions were sampled
Markup window(const StudyView&);     // of the timeline, where one was asked for
// How to read the page, what the simulations did not represent, and what they rest on.
Markup about(const StudyView&);

// The two main charts as SVG without any script: what each point's run time is made of, and how it compares with the baseline (over two
// axes of numbers as a table of colours, else as bars). Empty where there is nothing to show.
// Bands  a line from end to end over the end of a bar, where the results have one (StudyView::band_name).
// Shown  at most 24 points: the fastest ones, and the baseline. Parts of bars differ in pattern as well as in colour.
// Size   960 user units wide, as high as it needs; scales with whatever holds it. Light and dark follow the reader's setting.
Markup run_time_svg(const StudyView&);
Markup speed_up_svg(const StudyView&);

}  // namespace reprise::sim::report
