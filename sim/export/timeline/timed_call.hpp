// SPDX-License-Identifier: MIT
// A call at its times, as a timeline has it, and who writes timelines.
//
// Whoever has such calls can write them: those of a recorded trace (recorded_timeline.hpp), or of a predicted run.
// Requests  have numbers that are never used again on their rank, so that a reader needs to know nothing of what was freed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::sim {

struct TimedCall {
  std::int64_t begin = 0, end = 0;  // ns since the run began
  trace_io::SiteId site = trace_io::kNoSite;
  trace_io::Procedure procedure;
  std::span<const std::int64_t>
      scalars;  // as fields() orders them; communicators are indices of the rank, requests slots
  std::vector<std::span<const std::int64_t>> vectors;
  // The numbers of requests: of the one started, of those handed in, of those that the call ends.
  std::int64_t started = -1;
  std::vector<std::int64_t> named, ended;  // −1: a slot of a persistent request, or none
};

class TimelineWriter {
 public:
  virtual ~TimelineWriter() = default;
  // A rank's calls in their order; those of different ranks in the order of their begin where needs_order().
  virtual void call(Rank, const TimedCall&) = 0;
  virtual bool needs_order() const = 0;
  // After the last call. Returns the path to be opened.
  virtual std::string finish() = 0;
};

}  // namespace reprise::sim
