// SPDX-License-Identifier: MIT
// What the uncertainty of a platform's calibration means for a predicted time: the replay repeated with every message that much cheaper,
// and that much dearer. Compute times are the trace's and stay.
#pragma once

#include <optional>
#include <string>

#include "platforms/platform.hpp"
#include "sim/engine/replay.hpp"

namespace reprise::sim {

struct CalibrationBand {
  double uncertainty = 0;  // the share by which the platform is off its measurements
  Seconds low, high;
};

// Nothing where the platform states no uncertainty, or only one of the paths inside a node and messages cross nodes. Cost: two replays, JOBS at a time. SimGrid's network, of which a process has one, is replaced by
// the flow network, which gives the same times.
std::optional<CalibrationBand> calibration_band(const trace_io::Trace&, const platforms::Platform&,
                                                ReplaySettings, const Outcome& predicted,
                                                std::size_t jobs = 1);
// What an answer without a band says instead.
std::string why_no_band(const platforms::Platform&, const Outcome& predicted);

}  // namespace reprise::sim
