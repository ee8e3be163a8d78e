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
  std::int64_t computed_since = 0;  // likewise, ≤ begin: when the computing before it began
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

// In which order a writer needs the calls of different ranks.
enum class CallOrder : std::uint8_t { begin, computed_since };

class TimelineWriter {
 public:
  virtual ~TimelineWriter() = default;
  // A rank's calls in their order; those of different ranks by what order() says.
  virtual void call(Rank, const TimedCall&) = 0;
  virtual CallOrder order() const = 0;
  // REQUIRES: the writer was told that messages come. In the order of their sending, each before calls that come later in the writer's order.
  virtual void message(const TimedMessage&) {}
  // After the last call. Returns the path to be opened.
  virtual std::string finish() = 0;
};

}  // namespace reprise::sim
