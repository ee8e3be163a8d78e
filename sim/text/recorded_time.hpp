// SPDX-License-Identifier: MIT
// Why the recorded calls, put one after the other, do not take as long as the recorded run did.
#pragma once

#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise {

// END: of the last recorded call. A sentence, or nothing where the two times agree to 2 % or the run's is not known.
std::string recorded_time_note(const trace_io::Header&, Seconds end);

}  // namespace reprise
