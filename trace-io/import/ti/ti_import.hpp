// SPDX-License-Identifier: MIT
// SimGrid's time-independent (TI) traces as a trace of ours: what `smpirun -replay` takes, what reprise export writes.
//
// Form    an index (one file name a line: rank 0's file, rank 1's, …; a single name is a file with the lines of all ranks), or
//         such a file itself. Lines "RANK VERB ARGUMENTS…", `#` comments. All verbs of SimGrid 3.32
//         (src/smpi/internals/smpi_replay.cpp), with its types by number. Names are looked for from here, then beside the index.
// Time    "compute" and the operator of a reduction take flops / flops_per_second, "sleep" its seconds; both become the compute
//         delta of the call that follows, in whole nanoseconds whose sum stays exact. Time before "init" does not count.
// Names   TI knows no call sites: a call's site is its verb, and the place that "location FILE LINE" gave before it.
// Losses  "test" (a poll costs nothing), "comm_size", "comm_split" and "comm_dup" (without effect in SMPI) are counted.
// Errors  InputError naming file and line: unknown verbs, missing or wrong arguments, ranks that are not there, waits for requests
//         that were never started, receives from anybody (the trace does not tell who came).
// Cost    every line once; each rank is folded while it is read, then ranks are merged pairwise. Memory: the folded ranks.
#pragma once

#include <string>

#include "trace-io/import/ranks/import_settings.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

Trace import_ti(const std::string& path, const ImportSettings&);

}  // namespace reprise::trace_io
