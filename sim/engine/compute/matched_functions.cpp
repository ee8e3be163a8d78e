// SPDX-License-Identifier: MIT
#include "sim/engine/compute/matched_functions.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sim/engine/compute/caller_rules.hpp"
#include "sim/engine/compute/matched_counts.hpp"
#include "sim/functions/function_names.hpp"
#include "sim/text/numbers.hpp"
#include "trace-io/model/function_samples.hpp"

namespace reprise::sim {
namespace {

constexpr std::size_t kMostNames = 4;

// Times before a call take the shares of any rank's samples there (function_scaling.hpp); without one they stay.
double unsampled_share(const trace_io::Trace& trace, const ComputeRule& rule) {
  std::set<trace_io::SiteId> sampled;
  for (const auto& ranks : trace.functions->classes)
    for (const auto& path : ranks.compute) sampled.insert(path.site);
  double all = 0, unsampled = 0;
  for (const auto& program : trace.threads)
    trace_io::for_each_leaf(program, [&](const trace_io::Leaf& leaf) {
      for (const auto& path : leaf.compute)
        for (const auto& durations : path.classes) {
          const double time = recorded_seconds(durations, rule);
          all += time;
          if (!sampled.contains(leaf.site)) unsampled += time;
        }
    });
  return all > 0 ? unsampled / all : 0;
}

std::string remedy(const MatchedFunctions& matched) {
  return matched.rate < trace_io::kHighestSamplingRate
             ? formatted(
                   "record a longer run, or with more samples than the %u a second that were asked "
                   "for: reprise record --functions sample:RATE",
                   matched.rate)
             : "record a longer run";
}

}  // namespace

MatchedFunctions matched_functions(const trace_io::Trace& trace, const ComputeRule& rule) {
  const bool is_alone = rule.part == ComputeRule::Part::in_function_alone;
  const auto stacks = call_paths_in(trace, rule.call, is_alone);
  const FunctionNames names(trace);
  MatchedFunctions matched;
  std::map<std::string, std::uint64_t> by_name;
  std::set<std::pair<trace_io::SiteId, trace_io::SiteId>> paths, all_paths;
  for (const auto& ranks : trace.functions->classes) {
    for (const auto& path : ranks.compute)
      for (const auto& one : path.stacks) matched.recorded += one.count;
    const auto members = ranks.ranks.ranks();
    if (std::ranges::none_of(members, [&](Rank rank) { return contains(rule.ranks, rank.value); }))
      continue;
    for (const auto& path : ranks.compute) {
      all_paths.emplace(path.site, path.predecessor);
      for (const auto& [stack, count] : path.stacks) {
        matched.all += count;
        if (!stacks[stack]) continue;
        matched.samples += count;
        paths.emplace(path.site, path.predecessor);
        std::set<std::string> met;
        for (const auto& frame : trace.call_paths[stack].frames) {
          const std::string name = names.of(frame);
          if (matches_function(rule.call, name) && met.insert(name).second) by_name[name] += count;
          if (is_alone) break;
        }
      }
    }
  }
  for (const auto& [name, count] : by_name) matched.names.push_back(name);
  std::ranges::stable_sort(matched.names, [&](const std::string& x, const std::string& y) {
    return by_name[x] > by_name[y];
  });
  matched.paths = paths.size();
  matched.all_paths = all_paths.size();
  matched.rate = trace.functions->rate;
  matched.unsampled = unsampled_share(trace, rule);
  return matched;
}

std::string describe(const MatchedFunctions& matched, const ComputeRule& rule) {
  const bool is_alone = rule.part == ComputeRule::Part::in_function_alone;
  std::string text = inside_text(rule) + ": ";
  const std::size_t shown = std::min(matched.names.size(), kMostNames);
  for (std::size_t i = 0; i < shown; ++i) text += (i > 0 ? ", " : "") + matched.names[i];
  if (matched.names.size() > shown)
    text += " and " + std::to_string(matched.names.size() - shown) + " more";
  text += formatted("%s: %.1f %% of the CPU time between calls (%llu of %llu samples)",
                    is_alone ? " alone" : " with what is called there",
                    matched.all > 0 ? 100 * static_cast<double>(matched.samples) /
                                          static_cast<double>(matched.all)
                                    : 0.0,
                    static_cast<unsigned long long>(matched.samples),
                    static_cast<unsigned long long>(matched.all));
  text += formatted(", on %zu of %zu paths with samples", matched.paths, matched.all_paths);
  if (matched.unsampled > 0)
    text += formatted("; %.1f %% of computing is before calls without samples and stays unchanged",
                      100 * matched.unsampled);
  if (!matched.is_doubtful()) return text;
  if (matched.recorded < MatchedFunctions::kFewestSamples)
    text += "; the whole recording has only " + counted(matched.recorded, "such sample");
  return text + " (" + remedy(matched) + ")";
}

}  // namespace reprise::sim
