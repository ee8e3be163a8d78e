// SPDX-License-Identifier: MIT
// Computing on nodes that change their speed, and which of the changes asked for have changed nothing.
#include <algorithm>

#include "sim/engine/interpreter.hpp"
#include "sim/time_grid.hpp"

namespace reprise::sim {

std::string Interpreter::what_varies(const Conditions& conditions) {
  if (!conditions.noise.empty()) return "noise differs from iteration to iteration";
  if (std::any_of(conditions.nodes.begin(), conditions.nodes.end(),
                  [](const NodeChange& change) { return !change.when.is_always(); }))
    return "nodes change their speed while the program runs";
  if (std::any_of(conditions.links.begin(), conditions.links.end(),
                  [](const LinkChange& change) { return !change.when.is_always(); }))
    return "links change while the program runs";
  return "";
}

// How long the stretch takes that begins at the actor's clock.
double Interpreter::slowed(const Actor& actor, double delta, double& exact) {
  const VaryingRate* speed = disturbances_->speed(actor.rank);
  if (speed == nullptr || delta <= 0) return delta;
  const double longer = on_grid(speed->end(actor.clock, delta) - actor.clock);
  disturbances_->note(actor.rank, actor.clock, actor.clock + longer);
  if (longer != delta) exact = longer;
  return longer;
}

std::vector<std::string> Interpreter::facts_without_effect(Seconds end) const {
  std::vector<std::string> facts;
  for (const std::size_t number : scaling_.unmet()) {
    const ComputeRule& rule = settings_.compute[number];
    facts.push_back(rule.where + ": " + describe(rule) + ": no such time is computed");
  }
  for (const std::size_t number : network_.unmet_changes()) {
    const LinkChange& change = settings_.conditions.links[number];
    facts.push_back(change.where + ": " +
                    why_unmet(change.when, end,
                              "no message crossed the links " + change.links +
                                  (change.when.is_always() ? "" : " while it held")));
  }
  if (disturbances_) disturbances_->tell_unmet(end, facts);
  return facts;
}

}  // namespace reprise::sim
