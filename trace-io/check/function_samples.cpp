// SPDX-License-Identifier: MIT
#include "trace-io/check/function_samples.hpp"

#include <tuple>

#include "trace-io/model/function_samples.hpp"

namespace reprise::trace_io {
namespace {

std::string stacks_problem(const Trace& trace, const std::vector<StackSamples>& stacks) {
  if (stacks.empty()) return "a path without samples";
  const StackSamples* before = nullptr;
  for (const StackSamples& one : stacks) {
    if (one.stack >= trace.call_paths.size())
      return "call path " + std::to_string(one.stack) + " does not exist";
    if (trace.call_paths[one.stack].frames.empty()) return "a call path without frames";
    if (before != nullptr && one.stack <= before->stack)
      return "call paths that are not in ascending order";
    if (one.count == 0 || one.count >= kMostSamples)
      return std::to_string(one.count) + " samples of a call path";
    before = &one;
  }
  return "";
}

std::string paths_problem(const Trace& trace, const std::vector<PathSamples>& paths,
                          bool are_inside) {
  const PathSamples* before = nullptr;
  for (const PathSamples& path : paths) {
    const auto is_missing = [&](SiteId site) { return site >= trace.sites.size(); };
    if (is_missing(path.site) || (path.predecessor != kNoSite && is_missing(path.predecessor)))
      return "a site that does not exist";
    if (are_inside && path.predecessor != kNoSite) return "a call before those inside of a call";
    if (before != nullptr &&
        std::tie(path.site, path.predecessor) <= std::tie(before->site, before->predecessor))
      return "paths that are not in ascending order";
    if (const std::string problem = stacks_problem(trace, path.stacks); !problem.empty())
      return problem;
    before = &path;
  }
  return "";
}

}  // namespace

std::string function_samples_problem(const Trace& trace) {
  if (trace.functions == nullptr) return "";
  const FunctionSamples& samples = *trace.functions;
  if (samples.rate == 0 || samples.rate > kHighestSamplingRate)
    return "a rate of " + std::to_string(samples.rate) + " samples per second";
  RankList seen;
  Rank lowest{-1};
  for (const SampledRanks& one : samples.classes) {
    if (one.ranks.empty()) return "a class without ranks";
    if (!one.ranks.minus(trace.header.recorded).empty()) return "ranks that were not recorded";
    if (seen.intersects(one.ranks)) return "a rank in two classes";
    if (one.ranks.front() < lowest)
      return "classes that are not in the order of their lowest ranks";
    lowest = one.ranks.front();
    seen = seen.united(one.ranks);
    for (const bool are_inside : {false, true})
      if (const std::string problem =
              paths_problem(trace, are_inside ? one.communicate : one.compute, are_inside);
          !problem.empty())
        return problem;
  }
  return "";
}

}  // namespace reprise::trace_io
