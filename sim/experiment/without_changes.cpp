// SPDX-License-Identifier: MIT
#include "sim/experiment/without_changes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "platforms/placement.hpp"
#include "sim/experiment/algorithms_without_effect.hpp"
#include "sim/experiment/mean_times.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/time_ratio.hpp"

namespace reprise::sim {
namespace {

constexpr double kNone = 5e-5;  // of the run time: no difference worth a number

Experiment unchanged(Experiment experiment) {
  experiment.scenarios.clear();
  experiment.changes.clear();
  experiment.compute.clear();
  experiment.set.clear();
  experiment.latency.reset();
  experiment.bandwidth.reset();
  experiment.overhead.reset();
  return experiment;
}

double relative_error(const Outcome& outcome) {
  return outcome.predicted_time.value > 0 ? outcome.forwarded.error_bound / outcome.predicted_time
                                          : 0;
}

std::string difference_text(double ratio) {
  if (std::abs(ratio - 1) < kNone) return "takes the same time";
  return "takes " + time_ratio_text(ratio);
}

}  // namespace

bool has_changes(const Experiment& experiment) {
  return !experiment.changes.empty() || !experiment.compute.empty() || !experiment.set.empty() ||
         experiment.latency || experiment.bandwidth || experiment.overhead ||
         std::ranges::any_of(experiment.scenarios,
                             [](const Scenario& one) { return !one.changes.empty(); });
}

bool is_compared_without_changes(const Experiment& experiment, const ReplaySettings& settings,
                                 const Outcome& changed) {
  return has_changes(experiment) && !model_of(settings.network).simulates_once &&
         changed.operations <= kMostOperations && changed.predicted_time.value > 0;
}

WithoutChanges without_changes(const Experiment& experiment, const Prepared& with,
                               const Outcome& changed, const std::optional<CalibrationBand>& band,
                               std::size_t jobs) {
  Prepared prepared = prepare(unchanged(experiment));
  // A search would find another place on another machine, at a cost of its own.
  if (prepared.settings.placement.order == platforms::PlacementOrder::kSearched)
    prepared.settings.placement = with.settings.placement;
  const trace_io::Trace& trace = *experiment.trace;
  const Outcome before = replay(trace, prepared.platform, prepared.settings);
  const auto before_band =
      calibration_band(trace, prepared.platform, prepared.settings, before, jobs);
  WithoutChanges found;
  found.predicted = before.predicted_time;
  found.is_forwarded_alone =
      before.forwarded.skipped_iterations > 0 && changed.forwarded.skipped_iterations == 0;
  if (before.predicted_time.value <= 0) return found;
  found.ratio = changed.predicted_time / before.predicted_time;
  if (std::abs(found.ratio - 1) < kNone)
    found.no_effect =
        algorithms_without_effect(prepared.platform.collectives, before.used.algorithms,
                                  with.platform.collectives, changed.used.algorithms);
  WithoutChanges::Bounds bounds{found.ratio, found.ratio};
  if (band && before_band && before_band->low.value > 0) {
    const auto [low, high] =
        std::minmax({band->low / before_band->low, band->high / before_band->high});
    bounds = {std::min(bounds.low, low), std::max(bounds.high, high)};
    found.has_fit_error = true;
  }
  const double error = relative_error(changed) + relative_error(before);
  bounds.low *= std::max(0.0, 1 - error);
  bounds.high *= 1 + error;
  constexpr double kWorthSaying = 5e-4;  // of the run without the changes
  if (found.has_fit_error || bounds.high - bounds.low > kWorthSaying) found.bounds = bounds;
  return found;
}

std::string describe(const WithoutChanges& found) {
  std::string text =
      seconds_text(found.predicted) + "; with them the run " + difference_text(found.ratio);
  if (!found.bounds) return text + " (no band: the platform's file states no uncertainty)";
  const auto [low, high] = *found.bounds;
  return text +
         (is_told_as_factor(found.ratio)
              ? formatted(" (%.3g to %.3g times as long, ", low, high)
              : formatted(" (%+.3g%% to %+.3g%%, ", 100 * (low - 1), 100 * (high - 1))) +
         (found.has_fit_error        ? "with the platform's fit error)"
          : found.is_forwarded_alone ? "by what fast-forward left out without them)"
                                     : "by what fast-forward left out)");
}

}  // namespace reprise::sim
