// SPDX-License-Identifier: MIT
// Where a rank's call streams go, once MPI_Init has told which rank it is.
#pragma once

#include "recorder/capture/recording.hpp"

namespace reprise::recorder {

// Leaves of an earlier run under the same name. REQUIRES: rank 0, before any rank can write.
void remove_stale_calls(const Settings&, int ranks) noexcept;
// Opens the rank's file, or drops the streams where the settings of rank 0 have none. A program that has hooks of its own becomes a loss.
void begin_call_streams(Recording&) noexcept;

}  // namespace reprise::recorder
