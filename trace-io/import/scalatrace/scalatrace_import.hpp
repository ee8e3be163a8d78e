// SPDX-License-Identifier: MIT
// ScalaTrace's text traces (versions 2 and its time-independent variant) as a trace of ours: structure to structure.
//
// Form     records, each ended by an empty line: RANKS: rank list, EVENTn: operation and stack signature, COMP and COMM: histograms of
//          the time before and in the call by the signature of the call before, LOOPn: iterations and numbers of records, then parameters as
//          hexadecimal numbers with their values (scala_records.hpp).
// Given    the file of all ranks (libglob), or one file for each (libnode, libdump).
// Loops    stay loops and are not unrolled: the cost does not depend on how often they go round (scala_program.hpp). Each rank's program is
//          made of the records that list it; the programs are merged as those of recorded ranks are.
// Times    histograms become distributions (scala_histogram.hpp, scala_durations.hpp). Their order is not recorded, nor which rank took
//          how long, nor how long the run took as a whole.
// Errors   InputError with file and line: files that end within a record, records left out, unknown operations, wrong rank lists, loops longer
//          than what follows, ranks without a record.
// Losses   histograms in place of parameters; senders to receives from anybody; sizes of derived datatypes; requests that were never
//          started, persistent ones among them (the file does not say which MPI_Start starts); times that are missing; tags that are all 0.
// Cost     O(bytes of the files + ranks · records).
// Source   Wu, Mueller, ScalaExtrap, PPoPP 2011, and Elastic and scalable tracing, SC 2011 (ScalaTrace 2); the writer and the reader in
//          github.com/frs69wq/ScalaTrace-TI.
#pragma once

#include <string>
#include <vector>

#include "trace-io/import/ranks/import_settings.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Where the files have instructions without time, these take 1/settings.flops_per_second each.
Trace import_scalatrace(const std::vector<std::string>& files, const ImportSettings&);

}  // namespace reprise::trace_io
