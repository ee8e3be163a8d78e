// SPDX-License-Identifier: MIT
#include "sim/engine/compute/caller_rules.hpp"

#include <algorithm>
#include <set>

#include "sim/engine/compute/function_scaling.hpp"
#include "sim/functions/function_names.hpp"

namespace reprise::sim {

bool holds_for_callers(const trace_io::Trace& trace, const ComputeRule& rule) {
  if (rule.call.empty() || rule.calls == ComputeRule::Calls::at_places || is_of_functions(rule))
    return false;
  std::set<trace_io::Frame> of_calls;
  for (const auto& site : trace.sites)
    for (const auto& frame : trace.call_paths[site.call_path].frames) of_calls.insert(frame);
  return std::ranges::any_of(trace.frame_names, [&](const trace_io::FrameName& name) {
    return of_calls.contains(name.frame) && matches_function(rule.call, name.function);
  });
}

std::string inside_text(const ComputeRule& rule) {
  const bool is_alone = rule.part == ComputeRule::Part::in_function_alone;
  if (rule.calls == ComputeRule::Calls::anyhow)
    return (is_alone ? "function-exclusive:" : "function:") + rule.call;
  return std::string(is_alone ? "\"inside_function_exclusive\"" : "\"inside_function\"") + ": \"" +
         rule.call + '"';
}

std::string describe_callers(const trace_io::Trace& trace, const ComputeRule& rule) {
  const std::string text = rule.where + ": " + rule.call +
                           " scales the computing before MPI calls made in it, in whatever "
                           "function that is spent; " +
                           inside_text(rule) + " scales the time inside it";
  if (trace.functions == nullptr) return text + " (in a trace of record --functions sample)";
  return is_sampled_function(trace, rule.call) ? text : text + ", where this trace has no sample";
}

}  // namespace reprise::sim
