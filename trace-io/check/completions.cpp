// SPDX-License-Identifier: MIT
#include "trace-io/check/completions.hpp"

#include <algorithm>

namespace reprise::trace_io {

std::string completions_problem(const Trace& trace) {
  if (!trace.completions || trace.completions->represented <= trace.completions->phases) return "";
  return "more phases of completions represented than there were";
}

std::string further_calls_problem(const Trace& trace, const Leaf& leaf, const Procedure& procedure,
                                  const NodeExecutions& executed) {
  if (leaf.further.empty()) return "";
  if (!trace.completions) return "further calls, where completions are kept call by call";
  if (procedure.kind != Kind::wait_any && procedure.kind != Kind::wait_some && !procedure.is_test)
    return "further calls of a procedure that is no test and does not complete some of several "
           "requests";
  for (std::size_t i = 0; i < leaf.further.size(); ++i) {
    const FurtherCalls& one = leaf.further[i];
    if (i > 0 && one.rank <= leaf.further[i - 1].rank)
      return "further calls that are not in the order of their ranks";
    const auto found = std::ranges::lower_bound(executed.ranks, one.rank);
    if (found == executed.ranks.end() || *found != one.rank)
      return "further calls of a rank that does not execute the call";
    const std::uint64_t executions =
        executed.executions[static_cast<std::size_t>(found - executed.ranks.begin())];
    if (one.calls == 0 || one.calls >= static_cast<std::int64_t>(kMaxExecutions) ||
        one.calls < -static_cast<std::int64_t>(executions))
      return std::to_string(one.calls) + " further calls of " + std::to_string(executions);
  }
  return "";
}

std::uint64_t calls_of(const Leaf& leaf, const NodeExecutions& executed, std::size_t place) {
  const std::uint64_t executions = executed.executions[place];
  if (leaf.further.empty()) return executions;
  const auto found =
      std::ranges::lower_bound(leaf.further, executed.ranks[place], {}, &FurtherCalls::rank);
  if (found == leaf.further.end() || found->rank != executed.ranks[place]) return executions;
  return executions + static_cast<std::uint64_t>(found->calls);
}

}  // namespace reprise::trace_io
