// SPDX-License-Identifier: MIT
// What a trace lacks of the run as a whole: ranks, or the end.
#pragma once

#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Whether some ranks were not recorded at all.
bool lacks_ranks(const Trace&);
// "nothing was recorded for ranks 2-3", "salvaged: the end of the run is missing on some ranks"; empty where all of the run is there.
std::string missing_text(const Trace&);

}  // namespace reprise::trace_io
