// SPDX-License-Identifier: MIT
// The traces of a job's ranks on their way to rank 0: what one rank sends another, and how it is united with what that one has.
//
// Why     ranks of one program nearly always have the same structure: the same call paths and sites, and loops and calls nested alike. Then
//         nothing has to be aligned or renumbered, and what was sent is united call by call as it is read, without a second trace in memory.
// Sent    the structure (procedures, modules, call paths, sites, nesting), compared as bytes with the receiver's own; the other tables; then, call by
//         call, values and durations (leaf_stream.hpp). Traces with samples of functions, counts of events or iterations are sent whole, as a payload.
// Result  what unite() makes of the two, to the byte; whoever has all ranks finalizes it (merge/finalize.hpp).
// Cost    alike: O(calls), some 1 µs each, and no memory but what the united trace grows by. Unlike: as merge().
// Errors  a sum over all bytes is checked, nothing else of what was sent: both ends are one program.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "trace-io/model/time_pools.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// What a rank sent, as a trace of its own. Errors as those of add().
Trace trace_of_message(std::span<const std::byte> message, const std::string& from);

class GatheredTrace {
 public:
  explicit GatheredTrace(Trace trace) : trace_(std::move(trace)) { release_pools(trace_); }

  // For the rank that is to add() it.
  std::vector<std::byte> message();
  // Unites what another rank sent. `from` names it in errors. Throws InputError where it is damaged or of another job, and then nothing has
  // changed; of std::bad_alloc, see is_sound().
  void add(std::span<const std::byte> message, const std::string& from);
  // False once memory ran out in the middle of add(): the trace is of no use any more.
  bool is_sound() const { return is_sound_; }

  Trace& trace() { return trace_; }
  const Trace& trace() const { return trace_; }

 private:
  void add_whole(Trace other);
  const std::vector<std::byte>& structure();

  Trace trace_;
  std::vector<std::byte> structure_;  // of trace_; empty where it is not known
  std::size_t received_ = 0;          // bytes of the longest message
  bool is_sound_ = true;
};

}  // namespace reprise::trace_io
