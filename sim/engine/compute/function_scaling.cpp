// SPDX-License-Identifier: MIT
#include "sim/engine/compute/function_scaling.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sim/functions/function_names.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"
#include "trace-io/model/function_samples.hpp"

namespace reprise::sim {
namespace {

using trace_io::FunctionSamples;
using trace_io::SampledRanks;
using trace_io::SiteId;
using Membership = std::vector<bool>;  // by rule

// Samples, and what rules make of them.
struct Weight {
  std::uint64_t samples = 0;
  double scaled = 0;
  Weight& operator+=(const Weight& other) {
    samples += other.samples;
    scaled += other.scaled;
    return *this;
  }
};
using Path = std::pair<SiteId, SiteId>;  // the call after, the call before

// Of one class of ranks under one set of rules.
struct Weights {
  std::map<Path, Weight> paths;
  std::map<SiteId, Weight> sites;
};

Weights weights_of(const SampledRanks& ranks, const std::vector<double>& factors) {
  Weights weights;
  for (const auto& path : ranks.compute) {
    Weight weight;
    for (const auto& [stack, count] : path.stacks)
      weight += {count, static_cast<double>(count) * factors[stack]};
    weights.paths[{path.site, path.predecessor}] = weight;
    weights.sites[path.site] += weight;
  }
  return weights;
}

const Weight* found_in(const std::map<SiteId, Weight>& sites, SiteId site) {
  const auto found = sites.find(site);
  return found == sites.end() ? nullptr : &found->second;
}

// Those that say most about the time; null where there are none.
const Weight* weight_of(const Weights* own, const std::map<SiteId, Weight>& everyones, Path path) {
  if (own != nullptr) {
    const auto found = own->paths.find(path);
    if (found != own->paths.end()) return &found->second;
    if (const Weight* of_site = found_in(own->sites, path.first)) return of_site;
  }
  return found_in(everyones, path.first);
}

const FunctionSamples& samples_for(const trace_io::Trace& trace, const ComputeRule& rule) {
  if (trace.functions == nullptr)
    throw InputError(rule.where, "the trace has no function samples",
                     "record it with --functions sample");
  return *trace.functions;
}

// Call visit(stack) for each one that was sampled between calls.
template <class Visit>
void for_each_stack(const FunctionSamples& samples, const Visit& visit) {
  for (const auto& ranks : samples.classes)
    for (const auto& path : ranks.compute)
      for (const auto& one : path.stacks) visit(one.stack);
}

bool is_any_sampled(const FunctionSamples& samples, const std::vector<bool>& stacks) {
  bool is_any = false;
  for_each_stack(samples, [&](std::uint32_t stack) { is_any = is_any || stacks[stack]; });
  return is_any;
}

// Of the functions that a rule of this part could be for.
std::vector<std::string> sampled_names(const trace_io::Trace& trace, ComputeRule::Part part) {
  const FunctionNames names(trace);
  std::set<std::string> found;
  for_each_stack(*trace.functions, [&](std::uint32_t stack) {
    for (const auto& frame : trace.call_paths[stack].frames) {
      if (names.is_known(frame)) found.insert(plain_function_name(names.of(frame)));
      if (part == ComputeRule::Part::in_function_alone) break;
    }
  });
  return {found.begin(), found.end()};
}

void refuse_unmatched(const trace_io::Trace& trace, const ComputeRule& rule,
                      const std::vector<bool>& stacks) {
  if (is_any_sampled(samples_for(trace, rule), stacks)) return;
  const auto nearest = nearest_name(rule.call, sampled_names(trace, rule.part));
  throw InputError(
      rule.where, "no sampled function matches \"" + rule.call + "\"",
      (nearest ? "did you mean \"" + *nearest + "\"? " : std::string()) +
          "`reprise trace functions` lists them; one that was inlined counts as its caller");
}

}  // namespace

bool is_sampled_function(const trace_io::Trace& trace, const std::string& pattern) {
  return trace.functions != nullptr &&
         is_any_sampled(*trace.functions, call_paths_in(trace, pattern, false));
}

FunctionScaling::FunctionScaling(const trace_io::Trace& trace, std::span<const ComputeRule> rules,
                                 std::span<const platforms::RankLocation> locations)
    : has_effect_(rules.size()) {
  std::vector<std::vector<bool>> stacks(rules.size());
  const FunctionSamples* samples = nullptr;
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    if (!is_of_functions(rules[rule])) continue;
    samples = &samples_for(trace, rules[rule]);
    stacks[rule] = call_paths_in(trace, rules[rule].call,
                                 rules[rule].part == ComputeRule::Part::in_function_alone);
    refuse_unmatched(trace, rules[rule], stacks[rule]);
  }
  if (samples == nullptr) return;

  std::map<std::pair<Membership, std::size_t>, std::uint32_t> classes;
  for (std::size_t rank = 0; rank < locations.size(); ++rank) {
    const auto number = static_cast<std::int32_t>(rank);
    Membership in(rules.size());
    for (std::size_t rule = 0; rule < rules.size(); ++rule)
      in[rule] = is_of_functions(rules[rule]) && contains(rules[rule].ranks, number) &&
                 contains(rules[rule].nodes, locations[rank].node);
    const auto sampled = std::ranges::find_if(samples->classes, [&](const SampledRanks& one) {
      return one.ranks.contains(Rank{number});
    });
    const auto which = static_cast<std::size_t>(sampled - samples->classes.begin());
    rank_class_.push_back(
        classes.emplace(std::pair(in, which), static_cast<std::uint32_t>(classes.size()))
            .first->second);
  }

  factors_.resize(classes.size());
  for (const auto& one_class : classes) {
    const Membership& in = one_class.first.first;
    const std::size_t which = one_class.first.second;
    const bool is_sampled = which < samples->classes.size();
    auto& factors = factors_[one_class.second];
    std::vector<double> of_stack(trace.call_paths.size(), 1);
    for (std::size_t rule = 0; rule < rules.size(); ++rule)
      for (std::size_t stack = 0; in[rule] && stack < of_stack.size(); ++stack)
        if (stacks[rule][stack]) of_stack[stack] *= rules[rule].factor;
    std::map<SiteId, Weight> everyones;
    Weights own;
    for (std::size_t c = 0; c < samples->classes.size(); ++c) {
      Weights weights = weights_of(samples->classes[c], of_stack);
      for (const auto& [site, weight] : weights.sites) everyones[site] += weight;
      if (c == which) own = std::move(weights);
      if (is_sampled && c != which) continue;
      for (const auto& path : samples->classes[c].compute)
        for (const auto& one : path.stacks)
          for (std::size_t rule = 0; rule < rules.size(); ++rule)
            if (in[rule] && stacks[rule][one.stack]) has_effect_[rule] = true;
    }
    for (const auto& program : trace.threads)
      for_each_leaf(program, [&](const trace_io::Leaf& leaf) {
        for (const auto& path : leaf.compute)
          if (const Weight* weight =
                  weight_of(is_sampled ? &own : nullptr, everyones, {leaf.site, path.predecessor}))
            for (const auto& durations : path.classes)
              factors.emplace(&durations, weight->scaled / static_cast<double>(weight->samples));
      });
  }
}

double FunctionScaling::largest() const {
  double most = 1;
  for (const auto& factors : factors_)
    for (const auto& [durations, factor] : factors) most = std::max(most, factor);
  return most;
}

double FunctionScaling::smallest() const {
  double least = 1;
  for (const auto& factors : factors_)
    for (const auto& [durations, factor] : factors) least = std::min(least, factor);
  return least;
}

}  // namespace reprise::sim
