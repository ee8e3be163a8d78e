// SPDX-License-Identifier: MIT
// One replay as a page: that of a study with a single point (sim/report/study_page.hpp).
#pragma once

#include <string>

#include "sim/answers/answer.hpp"
#include "sim/cli/outcome_text.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::cli {

std::string replay_page(const sim::Answer&, const trace_io::Header&, const ReportContext&);

}  // namespace reprise::cli
