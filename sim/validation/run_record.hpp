// SPDX-License-Identifier: MIT
// What mpiP would have kept of a run: calls, times and bytes of every call site on every rank. Made from a trace, or from the
// replay of one; compared with reports (profile.hpp) and written as one (record_report.hpp).
//
// Sites     are operation and innermost frame, as mpiP keeps them by default: call paths that end in one line are one site.
// Counting  follows mpiP (mpip_rules.hpp).
// Times     count and sum are exact over the ranks of a class. A rank's own are exact to the class's scale factors (trace-io/merge/finalize.hpp); where it
//           has none, ranks are levelled: each call has the mean of all. A trace keeps the extremes of a class with their ranks: of other ranks the
//           shortest and longest call are the mean of their outermost bin.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::sim::validation {

struct CallPlace {
  std::string operation;  // without "MPI_"
  std::string file;       // without folders; empty where the frame could not be resolved
  std::uint32_t line = 0;
  std::string function;
  friend auto operator<=>(const CallPlace&, const CallPlace&) = default;
  std::string text() const { return file.empty() ? "" : file + ":" + std::to_string(line); }
};

// A number over the calls of a site on one rank.
struct OverCalls {
  double total = 0, least = 0, most = 0;  // extremes of single calls
};

struct SiteRecord {
  std::uint64_t calls = 0;
  OverCalls time_s;
  OverCalls bytes;          // sent, read or written, put: what mpiP books for the operation
  bool bytes_known = true;  // false where mpiP books an argument that MPI ignores
  SiteRecord& operator+=(const SiteRecord&);
};

struct RunRecord {
  std::string command;
  std::int32_t ranks = 0;
  std::vector<std::string>
      hosts;  // per rank; empty names where unknown. Of a replay: by whoever has made it
  // Per rank: from the end of MPI_Init to the start of MPI_Finalize, computing without the time in which others had the core.
  std::vector<double> app_s;
  // Per rank: that time, which mpiP's wall clock has in its application time. 0 in a replay. Of a rank with several threads, which a trace does
  // not tell apart here, the part of the thread that called MPI_Init by its share of the computing.
  std::vector<double> preempted_s;
  // Inside calls, over all ranks: what the trace has only as means of its ranks, because they hardly differ, or because it is an older one. 0 in a replay.
  double levelled_s = 0;
  std::map<CallPlace, std::map<std::int32_t, SiteRecord>> sites;
  std::string
      clock;  // what the times are: "the recording's wall clock", "replay on infiniband-edr"
  std::string times_mean_nothing;  // why they are no wall time; empty where they are
  // "16 ranks on the 2 cores of node1", where the recording had fewer cores than ranks: wall times then contain waiting for a core.
  std::string oversubscribed;
  // Of the recorder, over all ranks, as far as the trace has it: in no compute time of ours, but application time of a tool beneath it.
  double recorder_s = 0;
  bool is_replay = false;  // the times are predicted
  // Operations that callbacks (of attributes, errors, reductions) called inside other MPI calls: mpiP does not count those, and `sites` leaves them out.
  std::set<std::string> nested;
};

// Cost: O(Σ over nodes of the ranks that list them). The trace must be symbolised for its sites to have places.
RunRecord record_of(const trace_io::Trace&);

// What a replay says of one call site on one rank.
struct ReplayedSite {
  trace_io::SiteId site;
  Rank rank;
  OverCalls inside_mpi_s;
};
// The trace's calls and bytes with a replay's times; no hosts. `finish_s`: per rank.
RunRecord record_of(const trace_io::Trace&, const std::vector<double>& finish_s,
                    const std::vector<ReplayedSite>&, const std::string& platform);

}  // namespace reprise::sim::validation
