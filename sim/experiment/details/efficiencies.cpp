// SPDX-License-Identifier: MIT
#include "sim/experiment/details/efficiencies.hpp"

#include <algorithm>

#include "sim/experiment/details/platform_variants.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

double ratio(double part, double whole) { return whole > 0 ? part / whole : 1; }

// Ours whatever network was asked for: there is nothing to share in it.
Outcome on_ideal_network(const Replayed& replayed) {
  ReplaySettings settings = replayed.settings;
  settings.network = NetworkKind::uncontended;
  return replay(replayed.trace, with_ideal_network(replayed.platform), settings);
}

}  // namespace

Efficiencies efficiencies(const Outcome& outcome, const Outcome& ideal) {
  double most = 0;
  for (const auto& rank : outcome.ranks) most = std::max(most, rank.compute.value);
  const double mean = mean_times(outcome).compute.value;
  const double time = outcome.predicted_time.value;
  Efficiencies result;
  result.ideal_time = ideal.predicted_time;
  result.parallel = ratio(mean, time);
  result.load_balance = load_balance(outcome);
  result.communication = ratio(most, time);
  result.serialisation = ratio(most, ideal.predicted_time.value);
  result.transfer = ratio(ideal.predicted_time.value, time);
  return result;
}

nlohmann::ordered_json Efficiencies::json() const {
  return {{"parallel", parallel},           {"load_balance", load_balance},
          {"communication", communication}, {"serialisation", serialisation},
          {"transfer", transfer},           {"ideal_network_time_s", ideal_time.value}};
}

std::string Efficiencies::text() const {
  const auto row = [](const char* name, double value, const char* meaning) {
    return formatted("  %-26s %6.1f%%  %s\n", name, 100 * value, meaning);
  };
  return "\nefficiencies (POP; on an ideal network the run would take " + seconds_text(ideal_time) +
         ")\n" + row("parallel efficiency", parallel, "the ranks' time spent computing") +
         row("  load balance", load_balance, "mean computing to most computing") +
         row("  communication efficiency", communication, "most computing to run time") +
         row("    serialisation", serialisation, "left by waiting for one another") +
         row("    transfer", transfer, "left by moving data");
}

extern const Detail kEfficiencies = {
    .name = "efficiencies",
    .key = "efficiencies",
    .cost = "need one more replay",
    .further_replays = 1,
    .scope = DetailScope::points_on_request,
    .watched = {},
    .measure = [](const Replayed& replayed) -> std::unique_ptr<Figure> {
      return std::make_unique<Efficiencies>(
          efficiencies(replayed.outcome, on_ideal_network(replayed)));
    }};

}  // namespace reprise::sim
