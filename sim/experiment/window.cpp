// SPDX-License-Identifier: MIT
#include "sim/experiment/window.hpp"

#include <utility>

#include "sim/experiment/placement_search.hpp"

namespace reprise::sim {

PredictedWindow predict_window(const Experiment& experiment, WindowQuestion question) {
  auto observation = std::make_unique<Observation>(Watched{});
  observation->open_window(std::move(question));
  const Prepared prepared = prepare(experiment);
  ReplaySettings settings = prepared.settings;
  if (settings.placement.order == platforms::PlacementOrder::kSearched)
    settings.placement =
        search_placement(*experiment.trace, prepared.platform, settings.placement).placement;
  settings.observation = observation.get();
  PredictedWindow predicted;
  try {
    replay(*experiment.trace, prepared.platform, settings);
  } catch (const ReplayError& error) {
    if (error.kind() != ReplayError::Kind::deadlock) throw;
    predicted.deadlock = error;
  }
  predicted.observation = std::move(observation);
  return predicted;
}

}  // namespace reprise::sim
