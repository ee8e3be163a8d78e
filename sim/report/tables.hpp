// SPDX-License-Identifier: MIT
// The page's tables, as HTML; empty where the results hold nothing for them.
#pragma once

#include <string>

#include "sim/report/view.hpp"

namespace reprise::sim::report {

std::string points_table(const StudyView&);
std::string efficiencies_table(const StudyView&);
std::string sensitivities_table(const StudyView&);
std::string links_table(const StudyView&);       // of the baseline and the fastest point
std::string call_sites_table(const StudyView&);  // of the baseline
std::string pairs_table(const StudyView&);       // who sends most to whom
std::string slices_table(const StudyView&);      // of the time line
std::string losses_list(const StudyView&);

}  // namespace reprise::sim::report
