// SPDX-License-Identifier: MIT
// How SimGrid is set up for every simulation of ours: message time = latency + bytes / max-min share, nothing else.
#pragma once

namespace reprise::platforms {

// REQUIRES: an Engine exists and has no zone yet. Throws RunError if SimGrid does not know one of the settings.
void configure_simgrid();

}  // namespace reprise::platforms
