// SPDX-License-Identifier: MIT
// OTF2 archives (Score-P, TAU, Extrae and others, through libotf2) as a trace of ours.
//
// Given   the anchor file, NAME.otf2; definitions and events lie beside it.
// Ranks   one after the other, each folded while its events are read, then merged pairwise. Memory: the folded ranks, one rank's
//         calls that wait for their completion, libotf2's buffers.
// Time    ticks of the archive's clock, with the corrections that its local definitions have, as nanoseconds since the run began.
// Errors  InputError naming the archive: what libotf2 cannot read, no MPI processes. What the archive does not say: losses,
//         see rank_events.hpp.
// Threads MPI calls of threads other than the one that is the MPI process are counted, not imported.
// Source  OTF2 3.0 (Eschweiler et al., Open Trace Format 2, Parallel Computing 2012).
#pragma once

#include <string>

#include "trace-io/import/ranks/import_settings.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Whether the file is an anchor file.
bool is_otf2(const std::string& path);

Trace import_otf2(const std::string& anchor, const ImportSettings&);

}  // namespace reprise::trace_io
