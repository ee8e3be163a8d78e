// SPDX-License-Identifier: MIT
#include "sim/cli/calibration_band.hpp"

#include <algorithm>

#include "platforms/calibration/message_costs.hpp"

namespace reprise::cli {

std::optional<CalibrationBand> calibration_band(const trace_io::Trace& trace,
                                                const platforms::Platform& platform,
                                                sim::ReplaySettings settings,
                                                const sim::Outcome& predicted) {
  const double share = platforms::message_uncertainty(platform);
  if (share <= 0) return std::nullopt;
  settings.observation = nullptr;
  if (sim::model_of(settings.network).simulates_once) settings.network = sim::NetworkKind::flow;
  const auto time = [&](double factor) {
    return sim::replay(trace, platforms::with_message_costs(platform, factor), settings)
        .predicted_time.value;
  };
  const double cheap = time(1 / (1 + share)), dear = time(1 + share),
               as_is = predicted.predicted_time.value;
  return CalibrationBand{share, std::min({cheap, dear, as_is}), std::max({cheap, dear, as_is})};
}

}  // namespace reprise::cli
