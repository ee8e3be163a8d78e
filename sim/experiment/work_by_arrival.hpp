// SPDX-License-Identifier: MIT
// Whether a program may hand out work by what comes first. A replay leaves it where it was: each rank computes what it computed when recorded, however
// fast the ranks of another machine are.
//
// Answers   in a loop, a completion of whatever is complete first (MPI_Waitany, MPI_Waitsome, and MPI_Test and MPI_Iprobe that succeeded), and
//           behind it in the same iteration a send whose destination changes: a master that answers its workers. Receives from any
//           source need no search: the replay meets them, and remarks.cpp says so.
// Counters  in a loop, an operation on a window that fetches what was there and changes it (MPI_Fetch_and_op and its like): ranks that take the
//           number of the next task. Non-blocking ones, too.
// A program may do either for another purpose: what is said of it is conditional.
// Cost      O(nodes of the trace).
#pragma once

#include <optional>
#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise::sim {

struct WorkByArrival {
  struct Answer {
    trace_io::SiteId completion = trace_io::kNoSite, send = trace_io::kNoSite;
  };
  std::optional<Answer> answer{};             // the first of the program
  std::optional<trace_io::SiteId> counter{};  // likewise
};

WorkByArrival work_by_arrival(const trace_io::Trace&);

// A sentence without its full stop; empty where there is nothing to say. ANSWERS_ARE_TOLD: another note says it of receives from any source.
std::string describe(const WorkByArrival&, const trace_io::Trace&, bool answers_are_told);

}  // namespace reprise::sim
