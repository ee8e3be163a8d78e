// SPDX-License-Identifier: MIT
// What the run takes without the changes of a what-if, so that nobody has to replay it twice to see the difference.
//
// Same    trace, placement, network, seed, noise and memory traffic: what is drawn is drawn alike, and the difference is that of the changes.
// Cost    one more replay, on a calibrated platform three.
// Bounds  of the ratio: it is formed anew with messages cheaper and dearer by the platform's fit error in both replays, and widened by what
//         fast-forward may be off by in each. How runs vary is not in them: both replays play the same recorded run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/experiment/calibration_band.hpp"
#include "sim/experiment/experiment.hpp"
#include "sim/outcome.hpp"

namespace reprise::sim {

struct WithoutChanges {
  Seconds predicted;
  double ratio = 1;  // of the run time with the changes to that without
  struct Bounds {
    double low = 1, high = 1;
  };
  std::optional<Bounds>
      bounds;                  // of the ratio; none: nothing worth saying is known to be uncertain
  bool has_fit_error = false;  // part of the bounds
  bool is_forwarded_alone =
      false;  // fast-forward left out iterations of this replay, none with the changes
  std::vector<std::string> no_effect;  // of which changes of collectives, and why
};

bool has_changes(const Experiment&);
// Whether there are changes, and a further replay is cheap: at most kMostOperations calls (mean_times.hpp), on a network that can simulate again.
bool is_compared_without_changes(const Experiment&, const ReplaySettings&, const Outcome&);

// CHANGED and BAND: of the replay with the changes, as PREPARED. Throws what prepare() and replay() throw.
WithoutChanges without_changes(const Experiment&, const Prepared&, const Outcome& changed,
                               const std::optional<CalibrationBand>& band, std::size_t jobs);

// "0.078271 s; with them the run takes 12.3% less time (-12.5% to -12.1%, with the platform's fit error)".
std::string describe(const WithoutChanges&);

}  // namespace reprise::sim
