// SPDX-License-Identifier: MIT
// Whether a trace holds together: what every reader of a trace may rely on without looking again.
//
// Checked  indices into tables; communicators' members; nodes' ranks within those around them; one value list per field, whose
//          entries divide the node's ranks; enough values for the node's executions; list lengths that add up; loops that end
//          and whose every iteration holds an event; delta classes' ranks.
// Cost     O(Σ over nodes of the ranks that list them) + O(terms of the sequences). No event is walked.
#pragma once

#include <vector>

#include "trace-io/check/check.hpp"

namespace reprise::trace_io {

// Findings of severity error only; at most kMaxStructureFindings of them.
std::vector<Finding> check_structure(const Trace&);
inline constexpr std::size_t kMaxStructureFindings = 100;

}  // namespace reprise::trace_io
