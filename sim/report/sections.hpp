// SPDX-License-Identifier: MIT
// What stands on a study's page. A section is added in one file: a function that returns its card, empty where the results hold nothing
// for it, and its line in that file's list (point_sections, detail_sections). What its script draws registers itself (page/frames.js).
#pragma once

#include "markup/markup.hpp"
#include "sim/report/study_view.hpp"

namespace reprise::sim::report {

// The one sentence that answers, and what else must be known to judge it: who cannot be told apart from the fastest, what the baseline
// is sensitive to, remarks and losses that all points share, how many points have no result.
markup::Markup answer(const StudyView&);
markup::Markup all_points(const StudyView&);
markup::Markup point_sections(const StudyView&);  // over all points
markup::Markup detail_sections(
    const StudyView&);  // of the baseline: traffic, time line, call sites
// How to read the page, what the simulations did not represent, and what they rest on.
markup::Markup about(const StudyView&);

}  // namespace reprise::sim::report
