// SPDX-License-Identifier: MIT
#include "sim/engine/compute/compute_scaling.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "sim/engine/compute/caller_rules.hpp"
#include "sim/engine/compute/counter_scaling.hpp"
#include "sim/engine/compute/function_scaling.hpp"
#include "sim/site_text.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::sim {
namespace {

using Membership = std::vector<bool>;  // by rule

bool matches(const std::string& pattern, const std::string& text) {
  return !text.empty() && fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

bool matches(const ComputeRule& rule, const trace_io::FrameName& name, const std::string& file) {
  const std::string& pattern = rule.call;
  if (rule.calls != ComputeRule::Calls::at_places && matches(pattern, name.function)) return true;
  return rule.calls != ComputeRule::Calls::in_functions &&
         (matches(pattern, file) || matches(pattern, name.file) ||
          matches(pattern, file + ":" + std::to_string(name.line)));
}

// "solver+0x15a2", perhaps with wildcards, or "solver+*"; "sol*" is no address, else it would hold for all of a program of that name.
bool is_address(const ComputeRule& rule) {
  return rule.calls != ComputeRule::Calls::in_functions &&
         (rule.call.find("+0x") != std::string::npos || rule.call.ends_with("+*"));
}

// By rule and call path, whether the pattern matches one of its frames.
std::vector<Membership> matching_paths(const trace_io::Trace& trace,
                                       std::span<const ComputeRule> rules) {
  std::map<trace_io::Frame, const trace_io::FrameName*> names;
  for (const auto& name : trace.frame_names) names.emplace(name.frame, &name);
  std::vector<Membership> paths(trace.call_paths.size(), Membership(rules.size()));
  for (std::size_t path = 0; path < paths.size(); ++path)
    for (const auto& frame : trace.call_paths[path].frames) {
      const std::string address = offset_text(trace, frame);
      for (std::size_t rule = 0; rule < rules.size(); ++rule)
        if (is_address(rules[rule]) && matches(rules[rule].call, address)) paths[path][rule] = true;
      const auto found = names.find(frame);
      if (found == names.end()) continue;
      const trace_io::FrameName& name = *found->second;
      const std::string file = name.file.substr(name.file.rfind('/') + 1);
      for (std::size_t rule = 0; rule < rules.size(); ++rule)
        if (matches(rules[rule], name, file)) paths[path][rule] = true;
    }
  return paths;
}

constexpr std::string_view kFunction = "function:", kFunctionAlone = "function-exclusive:";

void in_functions(ComputeRule& rule, std::string_view pattern, ComputeRule::Part part,
                  std::string_view text) {
  if (pattern.empty())
    throw InputError(rule.where, "no function in \"" + std::string(text) + "\"",
                     "such as function:dgemm*=0.5x");
  rule.call = pattern;
  rule.part = part;
}

// What patterns match, by whoever has written the rule: --compute, or one of two keys of a scenario.
std::string what_matches(const ComputeRule& rule) {
  switch (rule.calls) {
    case ComputeRule::Calls::anyhow:
      return "patterns match functions, files, file:line and addresses (program+0x12f0, program+*) "
             "of "
             "call paths";
    case ComputeRule::Calls::in_functions:
      return "\"function\" matches functions of call paths, \"call_site\" their files, file:line "
             "and addresses (program+0x12f0, program+*)";
    case ComputeRule::Calls::at_places:
      return "\"call_site\" matches files, file:line and addresses (program+0x12f0, program+*) of "
             "call paths, "
             "\"function\" their functions";
  }
  return "";
}

// Of "solve.c:14" what stands before and after the colon; none where that is no line.
std::optional<std::pair<std::string, std::uint64_t>> file_and_line(const std::string& pattern) {
  const std::size_t colon = pattern.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == pattern.size() ||
      pattern.size() - colon > 10 ||
      pattern.find_first_not_of("0123456789", colon + 1) != std::string::npos)
    return std::nullopt;
  return std::pair(pattern.substr(0, colon), std::stoull(pattern.substr(colon + 1)));
}

// The lines of that file on calls' paths that are next to the one named, before and after it: "solve.c:12" or "solve.c:17".
std::string nearest_lines(const trace_io::Trace& trace, const std::set<trace_io::Frame>& of_calls,
                          const ComputeRule& rule) {
  const auto asked = file_and_line(rule.call);
  if (!asked || rule.calls == ComputeRule::Calls::in_functions) return "";
  std::map<std::uint64_t, std::string> places;  // by line
  for (const auto& name : trace.frame_names) {
    const std::string file = name.file.substr(name.file.rfind('/') + 1);
    if (of_calls.contains(name.frame) &&
        (matches(asked->first, file) || matches(asked->first, name.file)))
      places.emplace(name.line, file + ":" + std::to_string(name.line));
  }
  const auto after = places.upper_bound(asked->second);
  std::string text;
  if (after != places.begin()) text = '"' + std::prev(after)->second + '"';
  if (after != places.end()) text += (text.empty() ? "\"" : " or \"") + after->second + '"';
  return text;
}

// What may have been meant by a pattern that no call path matches.
std::string hint_for(const trace_io::Trace& trace, const ComputeRule& rule) {
  std::set<trace_io::Frame> of_calls;
  for (const auto& site : trace.sites)
    for (const auto& frame : trace.call_paths[site.call_path].frames) of_calls.insert(frame);
  std::set<std::string> names;
  for (const auto& name : trace.frame_names) {
    if (!of_calls.contains(name.frame)) continue;
    if (!name.function.empty() && rule.calls != ComputeRule::Calls::at_places)
      names.insert(name.function);
    if (!name.file.empty() && rule.calls != ComputeRule::Calls::in_functions)
      names.insert(name.file.substr(name.file.rfind('/') + 1));
  }
  std::string hint;
  if (const std::string lines = nearest_lines(trace, of_calls, rule); !lines.empty())
    hint = "did you mean " + lines + "? ";
  else if (const auto nearest = nearest_name(rule.call, {names.begin(), names.end()}))
    hint = "did you mean \"" + *nearest + "\"? ";
  if (is_sampled_function(trace, rule.call))
    hint += inside_text(rule) + " is the time inside the function; ";
  return hint + what_matches(rule) + "; `reprise trace dump` shows them";
}

bool is_of_calls(const ComputeRule& rule) { return !is_of_functions(rule) && !is_of_counts(rule); }

// Numbers equal memberships alike; the first one is class 0.
template <class Key>
std::uint32_t class_of(std::map<Key, std::uint32_t>& classes, const Key& membership) {
  return classes.emplace(membership, static_cast<std::uint32_t>(classes.size())).first->second;
}

// A factor without its unit may be meant as one on speed.
double time_factor(std::string_view text, const std::string& where) {
  try {
    return parse_factor(text, where, LeastFactor::zero);
  } catch (const InputError& error) {
    throw InputError(error.where(), error.problem(),
                     error.hint() + "; it multiplies times: 0.5x is a machine twice as fast");
  }
}

}  // namespace

ComputeRule parse_compute_rule(std::string_view text, const std::string& where) {
  ComputeRule rule;
  rule.where = where;
  if (is_processor_change(text)) {
    rule.processor = parse_processor_change(text, where);
    rule.factor = rule.processor->factor();
    return rule;
  }
  const std::size_t equals = text.rfind('=');
  const std::string_view what =
      equals == std::string_view::npos ? std::string_view() : text.substr(0, equals);
  rule.factor =
      time_factor(equals == std::string_view::npos ? text : text.substr(equals + 1), where);
  if (equals == std::string_view::npos) return rule;
  if (what.starts_with("rank:"))
    rule.ranks = parse_ranges(what.substr(5), where);
  else if (what.starts_with("node:"))
    rule.nodes = parse_ranges(what.substr(5), where);
  else if (what.starts_with(kFunction))
    in_functions(rule, what.substr(kFunction.size()), ComputeRule::Part::in_function, text);
  else if (what.starts_with(kFunctionAlone))
    in_functions(rule, what.substr(kFunctionAlone.size()), ComputeRule::Part::in_function_alone,
                 text);
  else if (what.empty())
    throw InputError(where, "nothing before the = of \"" + std::string(text) + "\"",
                     "such as solve.c:*=0.5x, function:dgemm*=0.5x, rank:0-3=2x, node:1=2x");
  else
    rule.call = what;
  return rule;
}

std::string describe(const ComputeRule& rule) {
  std::string text = rule.processor           ? "computing with " + describe(*rule.processor)
                     : rule.call.empty()      ? "every compute time"
                     : !is_of_functions(rule) ? "compute times before calls in " + rule.call
                                              : "computing in functions " + rule.call;
  if (is_of_functions(rule))
    text += rule.part == ComputeRule::Part::in_function ? " and what they call" : " alone";
  if (!rule.ranks.empty()) text += " of ranks " + to_text(rule.ranks);
  if (!rule.nodes.empty()) text += " on nodes " + to_text(rule.nodes);
  if (rule.processor) return text;
  char factor[32];
  std::snprintf(factor, sizeof factor, " × %g", rule.factor);
  return text + factor;
}

std::vector<double> slowness_of(const platforms::Platform& platform,
                                std::span<const platforms::RankLocation> locations) {
  std::vector<double> slowness;
  for (const auto& location : locations)
    slowness.push_back(1 / platform.nodes.relative_speed_of(location.node));
  if (std::all_of(slowness.begin(), slowness.end(), [](double factor) { return factor == 1; }))
    slowness.clear();
  return slowness;
}

ComputeScaling::ComputeScaling(const trace_io::Trace& trace, std::span<const ComputeRule> rules,
                               double overall, std::span<const platforms::RankLocation> locations,
                               std::span<const double> slowness)
    : overall_(overall) {
  if (rules.empty() && slowness.empty()) return;
  const auto paths = matching_paths(trace, rules);
  const auto ranks = static_cast<std::int64_t>(locations.size());
  std::int64_t nodes = 0;
  for (const auto& location : locations) nodes = std::max<std::int64_t>(nodes, location.node + 1);

  std::map<Membership, std::uint32_t> site_classes;
  std::map<std::pair<Membership, double>, std::uint32_t> rank_classes;
  Membership ever(rules.size());
  for (const auto& site : trace.sites) {
    Membership in(rules.size());
    for (std::size_t rule = 0; rule < rules.size(); ++rule) {
      in[rule] =
          is_of_calls(rules[rule]) && (rules[rule].call.empty() || paths[site.call_path][rule]);
      if (in[rule]) ever[rule] = true;
    }
    site_class_.push_back(class_of(site_classes, in));
  }
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    const ComputeRule& asked = rules[rule];
    if (!ever[rule] && !asked.call.empty() && is_of_calls(asked))
      throw InputError(asked.where, "no call of the trace matches \"" + asked.call + "\"",
                       hint_for(trace, asked));
    if (highest(asked.ranks) >= ranks)
      throw InputError(asked.where,
                       "rank " + std::to_string(highest(asked.ranks)) + " is not among the " +
                           std::to_string(ranks) + " ranks",
                       "");
    if (highest(asked.nodes) >= nodes)
      throw InputError(asked.where,
                       "node " + std::to_string(highest(asked.nodes)) + " is not among the " +
                           std::to_string(nodes) + " nodes that have ranks",
                       "");
  }
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    Membership in(rules.size());
    for (std::size_t rule = 0; rule < rules.size(); ++rule)
      in[rule] = contains(rules[rule].ranks, rank) &&
                 contains(rules[rule].nodes, locations[static_cast<std::size_t>(rank)].node);
    rank_class_.push_back(class_of(
        rank_classes, {in, slowness.empty() ? 1 : slowness[static_cast<std::size_t>(rank)]}));
  }
  site_classes_ = std::max<std::size_t>(1, site_classes.size());
  factors_.assign(site_classes_ * rank_classes.size(), overall);
  has_effect_.resize(factors_.size());
  rules_.resize(factors_.size());
  rule_count_ = rules.size();
  for (const auto& [of_ranks, rank_class] : rank_classes)
    for (const auto& [of_sites, site_class] : site_classes) {
      double& factor = factors_[rank_class * site_classes_ + site_class];
      factor *= of_ranks.second;
      for (std::size_t rule = 0; rule < rules.size(); ++rule)
        if (of_ranks.first[rule] && of_sites[rule]) {
          factor *= rules[rule].factor;
          rules_[rank_class * site_classes_ + site_class].push_back(rule);
        }
    }
  if (std::ranges::any_of(rules, is_of_functions))
    functions_ = std::make_unique<const FunctionScaling>(trace, rules, locations);
  if (std::ranges::any_of(rules, is_of_counts))
    counters_ = std::make_unique<const CounterScaling>(trace, rules, locations);
}

ComputeScaling::~ComputeScaling() = default;

double ComputeScaling::factor_of_parts(std::int32_t rank,
                                       const trace_io::DeltaClass& durations) const {
  return (functions_ == nullptr ? 1 : functions_->factor(rank, durations)) *
         (counters_ == nullptr ? 1 : counters_->factor(rank, durations));
}

double ComputeScaling::largest() const {
  if (factors_.empty()) return overall_;
  const double of_sites = *std::max_element(factors_.begin(), factors_.end());
  return of_sites * (functions_ == nullptr ? 1 : functions_->largest()) *
         (counters_ == nullptr ? 1 : counters_->largest());
}

double ComputeScaling::smallest() const {
  if (factors_.empty()) return overall_;
  const double of_sites = *std::min_element(factors_.begin(), factors_.end());
  return of_sites * (functions_ == nullptr ? 1 : functions_->smallest()) *
         (counters_ == nullptr ? 1 : counters_->smallest());
}

std::vector<std::size_t> ComputeScaling::without_effect() const {
  std::vector<bool> met(rule_count_);
  for (std::size_t i = 0; i < rules_.size(); ++i)
    if (has_effect_[i])
      for (const std::size_t rule : rules_[i]) met[rule] = true;
  for (std::size_t rule = 0; rule < met.size(); ++rule)
    met[rule] = met[rule] || (functions_ != nullptr && functions_->has_effect(rule)) ||
                (counters_ != nullptr && counters_->has_effect(rule));
  std::vector<std::size_t> rest;
  for (std::size_t rule = 0; rule < met.size(); ++rule)
    if (!met[rule]) rest.push_back(rule);
  return rest;
}

}  // namespace reprise::sim
