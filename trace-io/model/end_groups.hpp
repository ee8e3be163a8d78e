// SPDX-License-Identifier: MIT
// Where ranks were when their recordings ended without MPI_Finalize (recording_end.hpp), in words.
#pragma once

#include <string>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Threads that were in one place when their recordings ended the same way.
struct EndGroup {
  RankList ranks;
  std::uint32_t thread = 0;
  LastPlace place{};
  SiteId site = kNoSite;
  std::int32_t signal = 0;
  Nanoseconds least{}, most{};  // since they came there
};
// The largest groups first, of equals that of the lowest rank. Cost: O(ends · log ends).
std::vector<EndGroup> end_groups(const Trace&);
// A sentence without its full stop: "ranks 0-2 had been in MPI_Recv at solve.c:31 for 5.3 s when SIGTERM ended them"; without the time where none is known.
std::string end_text(const Trace&, const EndGroup&);
// One sentence for each group of ranks. Ranks that left no such record are one more group: nothing is known of them after their last snapshot.
// Empty for a trace that is complete, or that came to MPI_Finalize.
std::vector<std::string> end_texts(const Trace&);
// The longest that a thread had been in a call, or had polled in vain, when its recording ended; 0: none. Whatever happens to it is in no event.
Nanoseconds longest_hang(const Trace&);

}  // namespace reprise::trace_io
