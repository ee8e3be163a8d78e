// SPDX-License-Identifier: MIT
// Whether a trace makes sense beyond its bytes being readable: what `reprise trace check` reports.
#pragma once

#include <string>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Where a finding that is a loss of the recording (or of an import) is: the trace itself is consistent.
inline constexpr const char* kLossPlace = "recorder";

struct Finding {
  Severity severity;  // error: the trace cannot be replayed as it stands
  std::string where;  // "rank 3, MPI_Recv at solve.c:212"
  std::string problem;

  bool is_loss() const { return where == kLossPlace; }
  // Whether the trace contradicts itself, and not only lacks something.
  bool is_inconsistency() const {
    return severity == Severity::error || (severity == Severity::partial && !is_loss());
  }
};

// Table indices, rank coverage of fields and nodes, sequence lengths against executions, request slots (started before waited
// for), communicators (created before used), and across ranks: sends against receives per communicator and pair, collectives
// entered alike by all members. Cost: one walk over all ranks' events is bounded by `event_limit`; beyond it the cross-rank
// checks are done on counts alone and a notice says so.
std::vector<Finding> check(const Trace&, std::uint64_t event_limit = 50'000'000);

// Whether a trace holds together: what every reader of a trace may rely on without looking again.
//
// Checked  indices into tables; communicators' members; nodes' ranks within those around them; one value list per field, whose
//          entries divide the node's ranks; enough values for the node's executions; list lengths that add up; loops that end
//          and whose every iteration holds an event; delta classes' ranks.
// Cost     O(Σ over nodes of the ranks that list them) + O(terms of the sequences). No event is walked.

// Findings of severity error only; at most kMaxStructureFindings of them.
std::vector<Finding> check_structure(const Trace&);
inline constexpr std::size_t kMaxStructureFindings = 100;

}  // namespace reprise::trace_io
