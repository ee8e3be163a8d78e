// SPDX-License-Identifier: MIT
// A stream of calls, read forwards: one block in memory, whatever the stream's length.
//
// Times   of a block that is timed, each event's to an eighth of the interval before it; else none.
// Damage  InputError where a block was altered or its words do not make as many symbols as its head says.
// Cost    next(): constant; a few nanoseconds.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "trace-io/calls/call_file.hpp"
#include "trace-io/calls/lz_coder.hpp"

namespace reprise::trace_io {

struct CallEvent {
  std::uint16_t symbol = kLeave;
  std::optional<std::uint64_t> ns;  // monotonic
};

class CallReader {
 public:
  // REQUIRES: both outlive this; the stream is of the file.
  CallReader(const CallFile& file, const CallStream& stream) : file_(file), stream_(stream) {}

  std::optional<CallEvent> next();
  // Of the event that was returned last, from 0.
  std::uint64_t number() const { return number_ - 1; }
  // Whether events are missing between the one that was returned last and the one before it; how many.
  std::uint64_t lost_before() const { return is_first_ ? lost_ : 0; }

 private:
  bool begin_block();
  void end_block();
  [[noreturn]] void refuse() const;
  std::optional<std::uint64_t> time();

  const CallFile& file_;
  const CallStream& stream_;
  std::size_t next_block_ = 0;
  const CallBlockPlace* place_ = nullptr;
  std::uint32_t left_ = 0;  // symbols of the block
  std::uint64_t number_ = 0, lost_ = 0, ticks_ = 0;
  bool is_first_ = false;  // of a block
  std::vector<std::byte> payload_;
  std::optional<ZeroRestorer> zeros_;
  std::vector<std::byte> memory_;
  std::optional<LzDecoder> decoder_;
};

}  // namespace reprise::trace_io
