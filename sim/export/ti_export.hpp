// SPDX-License-Identifier: MIT
// A trace as SimGrid's time-independent (TI) traces: one text file per rank and an index, for `smpirun -replay`.
//
// Form    FOLDER/ti.txt names the ranks' files (absolute paths), FOLDER/rank-N.txt holds rank N's lines: "N verb arguments…".
//         Verbs and arguments as SMPI's replay parses them: SimGrid 3.32, src/smpi/internals/smpi_replay.cpp. Sizes are in bytes
//         ("init" without argument makes MPI_BYTE the default type); reductions count elements of a type of their size.
// Time    a compute delta becomes "compute FLOPS", seconds times the stated rate: on hosts of that speed it takes what was
//         recorded. It is played as a replay with the same `deltas` and `seed` plays it. Calls that the trace holds as time only
//         become "sleep SECONDS".
// Exact   point-to-point on any communicator (peers as world ranks; a communicator other than the world has its tags from
//         number · 2²⁰ on), Waitany and Test as the waits they became, persistent requests, Sendrecv.
// Losses  what the form cannot say is counted by name. `partial` ones change what is replayed: the export is refused unless
//         `lossy`; `notice` ones are simplifications of no weight.
// Cost    every event once, streamed: memory does not grow with the length of the trace.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sim/engine/replay.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

struct TiSettings {
  double flops_per_second = 1e9;
  Deltas deltas = Deltas::ordered;
  std::uint64_t seed = 1;
  bool lossy = false;
};

struct TiLoss {
  trace_io::Severity severity = trace_io::Severity::notice;
  std::uint64_t count = 0;
};
using TiLosses = std::map<std::string, TiLoss>;

struct TiSummary {
  std::string index;        // the path of the index
  std::uint64_t lines = 0;  // of all ranks
  TiLosses losses;
};

// FOLDER is made where it is not there; files of the same names in it are replaced. Throws InputError: a trace that does not hold
// all ranks, partial losses (nothing is left behind then), a folder that cannot be made; RunError: a file that cannot be written.
TiSummary export_ti(const trace_io::Trace&, const std::string& name, const TiSettings&,
                    const std::string& folder);

}  // namespace reprise::sim
