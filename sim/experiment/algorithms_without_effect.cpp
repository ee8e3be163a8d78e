// SPDX-License-Identifier: MIT
#include "sim/experiment/algorithms_without_effect.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

namespace reprise::sim {
namespace {

using platforms::CollectiveRule;

std::vector<CollectiveRule> rules_of(const platforms::Collectives& collectives,
                                     const std::string& operation) {
  std::vector<CollectiveRule> rules;
  std::ranges::copy_if(collectives.rules, std::back_inserter(rules),
                       [&](const CollectiveRule& rule) { return rule.operation == operation; });
  return rules;
}

bool are_equal(const std::vector<CollectiveRule>& a, const std::vector<CollectiveRule>& b) {
  return std::ranges::equal(a, b, [](const CollectiveRule& one, const CollectiveRule& other) {
    return std::tie(one.up_to, one.algorithm, one.segment, one.fanout) ==
           std::tie(other.up_to, other.algorithm, other.segment, other.fanout);
  });
}

AlgorithmsUsed used_for(const AlgorithmsUsed& used, const std::string& operation) {
  AlgorithmsUsed its;
  std::ranges::copy_if(used, std::back_inserter(its),
                       [&](const auto& one) { return one.operation == operation; });
  return its;
}

std::string names_of(const AlgorithmsUsed& used) {
  std::set<std::string> names;
  for (const auto& one : used) names.insert(one.name);
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// Whether a rule names one of the algorithms that are used.
bool names_one(const std::vector<CollectiveRule>& rules, const AlgorithmsUsed& used) {
  return std::ranges::any_of(rules, [&](const CollectiveRule& rule) {
    return std::ranges::any_of(used, [&](const auto& one) { return one.name == rule.algorithm; });
  });
}

}  // namespace

std::vector<std::string> algorithms_without_effect(const platforms::Collectives& before,
                                                   const AlgorithmsUsed& used_before,
                                                   const platforms::Collectives& after,
                                                   const AlgorithmsUsed& used_after) {
  std::set<std::string> operations;
  for (const auto& one : used_after) operations.insert(one.operation);
  std::vector<std::string> facts;
  for (const auto& operation : operations) {
    const auto rules = rules_of(after, operation);
    const AlgorithmsUsed used = used_for(used_after, operation);
    if (are_equal(rules_of(before, operation), rules) || used != used_for(used_before, operation))
      continue;
    facts.push_back(
        "/mpi/collectives/" + operation +
        (names_one(rules, used)
             ? ": its calls use " + names_of(used) + " without the change as well"
             : ": its calls still use " + names_of(used) +
                   ", because none is of the sizes that the change names, or the algorithm named "
                   "cannot carry them out (`reprise platform collectives` lists what is used)"));
  }
  return facts;
}

}  // namespace reprise::sim
