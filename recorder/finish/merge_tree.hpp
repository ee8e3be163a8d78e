// SPDX-License-Identifier: MIT
// The merge of all ranks' traces in MPI_Finalize: a binary tree of messages (gathered_trace.hpp).
//
// Cost    log2(ranks) rounds; a rank merges at most that many traces and sends one. The CPU time of all ranks, with reading and writing
//         what is sent, is added up in the header (merge_cpu).
// Never hangs  every rank that is expected to send does so: where its trace could not be made, an empty message. What could not be
//              received or merged is a loss ("ranks lost in the merge") and the trace is marked incomplete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::recorder {

// A trace on its way to another rank; no bytes where there is none. cpu_ns: what making them took.
struct TraceMessage {
  std::vector<std::byte> bytes;
  std::uint64_t cpu_ns = 0;
};

// The ranks of the job, for those who merge.
class Ranks {
 public:
  Ranks(int its_rank, int its_size) : rank(its_rank), size(its_size) {}
  virtual ~Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  virtual void send(int to, const TraceMessage&) noexcept = 0;
  // Without bytes where there was no memory for them.
  virtual TraceMessage receive(int from) noexcept = 0;
  const int rank, size;
};

// Every second rank sends what it has recorded and receives nothing: it needs no trace of its own, and calls send_only() in place of merge_over().
inline bool only_sends(const Ranks& ranks) { return ranks.rank % 2 != 0; }
// REQUIRES: only_sends(). `message` may throw std::bad_alloc: then the rank is lost by name.
void send_only(Ranks&, const std::function<std::vector<std::byte>()>& message) noexcept;

// Every second one of the others receives once, and sends: it mostly needs no trace either.
inline bool receives_once(const Ranks& ranks) {
  return ranks.rank % 4 == 2 && ranks.rank + 1 < ranks.size;
}
// Sends what unite() makes of one's own and what was received. False where it makes nothing or fails: then nothing was sent, and merge_over() is to
// be called, with what was received. REQUIRES: receives_once().
bool pass_on(Ranks&, TraceMessage& received,
             const std::function<std::optional<std::vector<std::byte>>()>& unite) noexcept;

// Collective. On rank 0: everybody's trace; elsewhere: nothing. `own` empty: this rank has no trace to give.
struct MergedTrace {
  std::optional<trace_io::Trace> trace;
  Nanoseconds finalize{};  // how long it took to finalize it
};
// `sent`: takes what this rank has sent, for callers that need not have it freed, which takes as long as sending it. `received`: from the next
// rank, where it was already.
MergedTrace merge_over(Ranks&, std::optional<trace_io::Trace> own,
                       std::optional<trace_io::Trace>* sent = nullptr,
                       std::optional<TraceMessage> received = std::nullopt) noexcept;

}  // namespace reprise::recorder
