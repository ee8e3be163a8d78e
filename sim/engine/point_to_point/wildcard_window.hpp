// SPDX-License-Identifier: MIT
// Which other messages a blocking wildcard receive (or probe) may take instead of the recorded one, and what changes with it.
//
// Block   a wildcard call and the calls that follow it with no other partner than the one it found: the sender of its message.
//         "Receive a request from anybody, answer who asked" is one block per request.
// Window  blocks of equal wildcard calls, one right after the other. They can be carried out in any order that keeps the blocks of
//         one partner in theirs: a program that served the requests in that order would have done the same. So where
//         another sender of the window comes first, its first block is brought forward, whole.
// Bounds  a window ends at the first call that is neither, and at kEvents calls.
// Cost    nothing where the recorded sender is the first to come; else the events up to the block that is brought forward.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/engine/loop/event_stream.hpp"

namespace reprise::sim {

class WildcardWindow {
 public:
  static constexpr std::size_t kEvents = 4096;
  // The stream's current event is the wildcard call; what it is asked to match must not be the null process.
  explicit WildcardWindow(EventStream& stream) : stream_(stream) {}

  struct Block {
    std::size_t first = 0, count = 0;  // as EventStream::peek counts
    std::int64_t
        peer = 0,
        tag =
            0;  // recorded match: a peer's code in the call's communicator, and its tag (asked for or found)
  };
  // The first block of a sender; reads on until it is found or the window ends.
  std::optional<Block> first_of(std::int64_t peer);

 private:
  bool read_block();

  EventStream& stream_;
  std::vector<Block> blocks_;
  std::size_t next_ = 0;
  bool has_ended_ = false;
};

}  // namespace reprise::sim
