// SPDX-License-Identifier: MIT
// What the rooms have found out, as the replay's outcome.
#include <algorithm>
#include <cmath>
#include <map>

#include "sim/engine/interpreter.hpp"
#include "sim/site_text.hpp"

namespace reprise::sim {

Outcome Interpreter::outcome() const {
  Outcome outcome;
  outcome.network = name_of(settings_.network);
  outcome.collectives = collectives_.selection();
  outcome.seed = settings_.seed;
  outcome.messages = one_sided_.transfers();
  for (std::int32_t rank = 0; rank < runtime_.trace().header.ranks; ++rank) {
    RankOutcome& row = outcome.ranks.emplace_back();
    row.rank = Rank{rank};
    for (const Actor& actor : runtime_.threads_of(rank)) {
      outcome.operations += actor.operations;
      outcome.messages += actor.sent;
      row.compute += Seconds{actor.compute};
      row.communication += Seconds{actor.in_mpi - actor.wait};
      row.wait += Seconds{actor.wait};
      outcome.memory.time += Seconds{actor.at_memory};
      outcome.memory.longer += Seconds{actor.longer_by_memory};
      row.finish = std::max(row.finish, Seconds{actor.clock + actor.skipped});
    }
    outcome.predicted_time = std::max(outcome.predicted_time, row.finish);
  }
  outcome.reordered_completions = completion_.reordered();
  outcome.reordered_wildcards = probes_.reordered();
  outcome.kept_wildcards = point_to_point_.has_kept_order() || probes_.has_left_messages();
  outcome.forwarded = forward_ ? forward_->outcome(runtime_.fast_forward_forbidden())
                               : Forwarded{0, Seconds{}, not_forwarded_, settings_.fast_forward};
  outcome.losses = losses();
  outcome.noise = computing_.noise();
  outcome.memory.nodes = computing_.nodes_at_memory();
  outcome.crowds = network_.crowds();
  outcome.no_effect = facts_without_effect(outcome.predicted_time);
  outcome.used = settings_use();
  return outcome;
}

std::vector<std::string> Interpreter::facts_without_effect(Seconds end) const {
  std::vector<std::string> facts;
  computing_.add_rules_without_effect(facts);
  for (const std::size_t number : network_.unmet_changes()) {
    const LinkChange& change = settings_.conditions.links[number];
    if (change.is_of_platform()) continue;  // nobody has asked for it
    facts.push_back(change.where + ": " +
                    why_without_effect(change.when, end,
                                       "no message crossed the links " + change.links +
                                           (change.when.is_always() ? "" : " during it")));
  }
  computing_.add_changes_without_effect(end, facts);
  return facts;
}

std::vector<trace_io::Loss> Interpreter::losses() const {
  std::map<std::string, trace_io::Loss> by_name;
  for (const trace_io::Loss& loss : runtime_.trace().losses) by_name[loss.name] = loss;
  const auto add = [&by_name](const std::string& name, std::uint64_t count, double seconds = 0) {
    if (count == 0) return;
    trace_io::Loss& loss = by_name[name];
    loss.name = name;
    loss.severity = trace_io::Severity::partial;
    loss.count += count;
    loss.time += Nanoseconds{std::llround(seconds * 1e9)};
  };
  for (trace_io::SiteId site = 0; site < unmodelled_.size(); ++site)
    add(procedure_text(runtime_.trace(), site) + " replayed as its recorded time",
        unmodelled_[site].count, unmodelled_[site].seconds);
  add("waits for requests that another thread had not started yet", runtime_.foreign_waits());
  add("collectives entered with another size than the first member's, which was used",
      collectives_.different_sizes());
  std::vector<trace_io::Loss> losses;
  for (const auto& [name, loss] : by_name) losses.push_back(loss);
  return losses;
}

platforms::SettingsUse Interpreter::settings_use() const {
  platforms::SettingsUse use = runtime_.paths().use();
  use.cables = network_.cables_used();
  use.interfaces = network_.interfaces_used();
  use.operations = collectives_.operations_met();
  use.algorithms = collectives_.algorithms_met();
  use.replaced = collectives_.algorithms_replaced();
  use.combines = collectives_.runs().has_combined();
  use.has_files = file_io_.has_been_used();
  use.asks_memory = settings_.memory_traffic.value > 0;
  use.fills_memory = computing_.nodes_at_memory() > 0;
  use.placement = settings_.placement;
  use.places = runtime_.paths().locations();
  use.spreads_nodes = settings_.placement.node_order.kind == platforms::NodeOrder::Kind::kSpread;
  for (const Actor& actor : runtime_.actors())
    if (actor.compute > 0) use.computing_nodes.push_back(runtime_.paths().node(actor.rank));
  std::sort(use.computing_nodes.begin(), use.computing_nodes.end());
  use.computing_nodes.erase(std::unique(use.computing_nodes.begin(), use.computing_nodes.end()),
                            use.computing_nodes.end());
  return use;
}

}  // namespace reprise::sim
