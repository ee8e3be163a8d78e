// SPDX-License-Identifier: MIT
// The statements `apart`, `compensation` and `preempted` of the text form (SYNTAX.md): time that is in no duration; what was clamped and
// the overhead curves; who was preempted, and for how long.
#pragma once

#include <string>

#include "trace-io/model/compensation.hpp"
#include "trace-io/model/preemption_record.hpp"
#include "trace-io/model/trace.hpp"
#include "trace-io/text/scanner.hpp"

namespace reprise::trace_io {

// Behind the word "apart". Throws InputError.
void read_apart(Scanner&, Trace&);

// One line, with its end.
std::string compensation_text(const Compensation&);
// Behind the word "compensation". Throws InputError.
Compensation read_compensation(Scanner&);

std::string preemptions_text(const PreemptionRecord&);
// Behind the word "preempted".
PreemptionRecord read_preemptions(Scanner&);

}  // namespace reprise::trace_io
