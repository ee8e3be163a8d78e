// SPDX-License-Identifier: MIT
#include "trace-io/check/recording_ends.hpp"

#include <tuple>

namespace reprise::trace_io {

std::string recording_ends_problem(const Trace& trace) {
  const RecordingEnd* before = nullptr;
  for (const RecordingEnd& end : trace.ends) {
    if (!trace.header.recorded.contains(end.rank)) return "of a rank that is not in the trace";
    if (end.thread >= trace.threads.size()) return "of a thread that does not exist";
    if (end.site != kNoSite && end.site >= trace.sites.size())
      return "at a site that does not exist";
    if (end.time.value < 0 || end.time.value >> 62 != 0) return "after an impossible time";
    if (end.signal < 0 || end.signal > kMostSignals) return "by a signal that does not exist";
    if (before != nullptr &&
        std::tie(before->rank, before->thread) >= std::tie(end.rank, end.thread))
      return "not ascending by rank and thread";
    before = &end;
  }
  return "";
}

}  // namespace reprise::trace_io
