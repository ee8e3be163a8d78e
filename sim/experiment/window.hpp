// SPDX-License-Identifier: MIT
// A window of an experiment's run, without the answer around it: for timelines.
//
// Cost    that of the replay. Errors: as prepare() and replay() have, but a deadlock, which is handed back with what there was before it.
#pragma once

#include <memory>
#include <optional>

#include "sim/engine/observe/observation.hpp"
#include "sim/experiment/experiment.hpp"
#include "sim/replay_error.hpp"

namespace reprise::sim {

struct PredictedWindow {
  std::unique_ptr<const Observation> observation;  // with the window
  std::optional<ReplayError> deadlock;
};

PredictedWindow predict_window(const Experiment&, WindowQuestion);

}  // namespace reprise::sim
