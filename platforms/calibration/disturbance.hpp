// SPDX-License-Identifier: MIT
// Whether measured times are those of a machine that did something else as well: no platform can be made of them.
//
// Disturbed   medians that hold time slices of other processes (probe_file.cpp): more than four, and more than a tenth of all. Few of them do
//             no harm, their 10 % quantiles stand in; where many are, these quantiles are disturbed as well.
// State       more than half of the times were measured while the probe's reference message took another time than usual, and up to ten times
//             as long at least: with so many ranks for a core no row finds the machine as it was.
// Absurd      a message of up to 64 bytes above a millisecond one way, or a message that takes ten times as long as a larger one: ranks
//             that wait for a core, and no machine.
// Cut short   the probe did not get through within six times what it was given (recorder/probe/wall_limit.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "platforms/calibration/measurements.hpp"

namespace reprise::platforms {

struct Disturbance {
  std::size_t times = 0, disturbed = 0;  // of all series
  std::string refusal;  // why no platform should be made of them; empty where one can be
};
Disturbance disturbance_of(const Measurements&);

}  // namespace reprise::platforms
