// SPDX-License-Identifier: MIT
// How often every rank executes every node of a program, derived from the loops' sequences without walking any event.
//
// How     A node at position p of a loop's body (counted as its rank sees the body) is executed once per full pass, and once
//         more in every execution of the loop whose exit is beyond p:
//           Σ iterations over the loop's executions + #{executions with exit > p}.
// Cost    O(Σ over nodes of the ranks that list them), plus one look at each sequence per distinct execution count.
// Errors  what contradicts itself is reported, and what depends on it is left out: the walk never fails.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

struct NodeExecutions {
  const Node& node;
  std::span<const Rank> ranks;                // who executes it, ascending
  std::span<const std::uint64_t> executions;  // how often each of them does; below kMaxExecutions
};
inline constexpr std::uint64_t kMaxExecutions = std::uint64_t{1} << 62;

using VisitNode = std::function<void(const NodeExecutions&)>;
using ReportProblem = std::function<void(const Node&, const std::string& problem)>;

// Visits every node, outer before inner, in program order.
void walk_executions(const std::vector<Node>& program, const RankList& recorded, const VisitNode&,
                     const ReportProblem&);

// Which entry each of `ranks` belongs to (the members of `list`, ascending); empty, and a reason in `problem`, where the entries
// do not divide exactly these ranks among them, in ascending order of their lowest.
std::vector<std::uint32_t> entry_owners(const FieldValues&, const RankList& list,
                                        std::span<const Rank> ranks, std::string& problem);

}  // namespace reprise::trace_io
