// SPDX-License-Identifier: MIT
// The answer in words.
#pragma once

#include <string>

#include "sim/report/view.hpp"

namespace reprise::sim::report {

// As HTML: the one sentence that answers, and what else must be known to judge it: who cannot be told apart from the fastest, what
// the baseline hangs on, how many points have no result.
std::string answer_sentence(const StudyView&);
std::string further_sentences(const StudyView&);

}  // namespace reprise::sim::report
