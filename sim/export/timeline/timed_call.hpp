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
  bool never_ends = false;                 // a deadlock: `end` is when the replay got no further
};

// A message at its times, where they are known: of a predicted run.
struct TimedMessage {
  Rank from, to;
  std::int64_t tag = 0, bytes = 0;
  std::int64_t sent = 0;                  // ns: when the send was called
  std::int64_t posted = 0, received = 0;  // when the receive was called, when all had come
  std::int64_t completed = 0;             // when the receiver learnt that (receive_completions.hpp)
};

// Where messages come from: the calls of a recorded timeline are matched as MPI matches them, a predicted one tells its messages.
enum class MessageSource : std::uint8_t { matched_calls, told };

class TimelineWriter {
 public:
  virtual ~TimelineWriter() = default;
  // A rank's calls in their order; those of different ranks in the order of their begin where needs_order().
  virtual void call(Rank, const TimedCall&) = 0;
  virtual bool needs_order() const = 0;
  // REQUIRES: the writer was told that messages come. In the order of their sending, each before calls that begin later.
  virtual void message(const TimedMessage&) {}
  // After the last call. Returns the path to be opened.
  virtual std::string finish() = 0;
};

}  // namespace reprise::sim
