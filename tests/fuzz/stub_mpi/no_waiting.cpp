// SPDX-License-Identifier: MIT
// The live replay's waits, which take no time here.
#include "recorder/live/compute_time.hpp"

namespace reprise::live {

void ComputeWait::mark() { mark_ = 0; }
void ComputeWait::wait_out(double nanoseconds) { owed_ = nanoseconds; }

}  // namespace reprise::live
