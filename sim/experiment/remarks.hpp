// SPDX-License-Identifier: MIT
// Facts beside the outcome that a reader must know to judge it: what they are said to, a line each, is Answer::remarks.
#pragma once

#include "sim/experiment/answer.hpp"

namespace reprise::sim {

// Of the trace, the machine and the settings, whatever the replay finds.
void remark_on_settings(const Experiment&, const Prepared&, Answer&);
// Of what the replay came across. REQUIRES: the answer has its outcome.
void remark_on_replay(const Experiment&, const Prepared&, Answer&);

}  // namespace reprise::sim
