// SPDX-License-Identifier: MIT
// What wildcard receives may match: the recorded message, known before its time, and others that would do as well.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sim/engine/loop/event_stream.hpp"
#include "sim/engine/loop/slots.hpp"

namespace reprise::sim {

// Knows what a non-blocking wildcard receive will match: what it matched when it was recorded.
//
// Why   such a receive is posted without its match; the match is in the trace, at the call that completed the request. A second
//       cursor runs ahead of the replay until it gets there.
// Cost  every event is walked once more, on ranks that use such receives; memory: the matches between the two cursors.
class WildcardLookahead {
 public:
  // Walks the rank's thread from its beginning.
  WildcardLookahead(const trace_io::Programs&, Rank, std::size_t thread);
  // Goes on from the event under the replay's cursor, which has not been carried out yet: it has jumped.
  void restart(const trace_io::Cursor&);

  struct Match {
    enum class State : std::uint8_t {
      unknown,
      matched,
      cancelled,
      open
    };  // open: it was never seen to complete
    State state = State::unknown;
    std::int64_t peer =
        trace_io::kNoPeer;  // code of a world rank; kNoPeer where the source was no wildcard
    std::int64_t tag = trace_io::kNone;  // kNone where the tag was no wildcard
  };
  // Of the wildcard receive started next: call once per such start, in the order of the program.
  Match next();

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  struct Slot {
    std::uint64_t instance = kNone;  // number of the wildcard receive that it holds
    bool is_wild = false;            // a persistent one, to be started
    bool is_cancelled = false;
  };
  bool look_further();
  Slot& slot(std::int64_t number);
  void begin(Slot&);
  void end(std::int64_t slot, std::int64_t peer, std::int64_t tag);
  void end_all(const EventFields&, trace_io::Field slots);

  trace_io::Cursor cursor_;
  bool stands_before_ = false;  // the event under the cursor has not been looked at yet
  std::deque<Match> matches_;   // the first is number first_
  std::uint64_t first_ = 0;
  Slots<Slot> slots_;
};

// Which other messages a blocking wildcard receive (or probe) may take instead of the recorded one, and what changes with it.
//
// Block   a wildcard call and the calls that follow it with no other partner than the one it found: the sender of its message.
//         "Receive a request from anybody, answer who asked" is one block per request.
// Window  blocks of equal wildcard calls, one right after the other. They can be carried out in any order that keeps the blocks of
//         one partner in theirs: a program that served the requests in that order would have done the same. So where
//         another sender of the window comes first, its first block is brought forward, whole.
// Bounds  a window ends at the first call that is neither; of blocks that end more than kEvents calls behind the current one nothing is known yet.
// Cost    nothing where the recorded sender is the first to come; else O(1), and what is behind the current event is read once, up to the block that is
//         brought forward: blocks are kept until they have been played.
// Memory  the events looked at.
class WildcardWindow {
 public:
  static constexpr std::size_t kEvents = 4096;
  // Whether the stream's current event is a call that may take another message than the recorded one.
  static bool begins_at(const EventStream&);

  struct Block {
    EventStream::Place first, last;
    std::uint64_t number = 0;  // of the first event
    // Recorded match: a peer's code in the call's communicator, and its tag (asked for or found).
    std::int64_t peer = 0, tag = 0;
  };
  // The first block of a sender; reads on until it is found or the window ends, null then. REQUIRES: begins_at(stream), which is
  // the same in each call.
  const Block* first_of(EventStream& stream, std::int64_t peer);
  // It comes before the current event. REQUIRES: first_of() has just returned it, and it is not the current one.
  void bring_forward(EventStream&, const Block&);

 private:
  using Blocks = std::list<Block>;
  void catch_up(EventStream&);
  void begin(EventStream::Place);
  bool read_block(EventStream&);
  void forget();

  Blocks blocks_;  // in the order in which they are to be played
  std::unordered_map<std::int64_t, std::deque<Blocks::iterator>> of_peers_;
  std::optional<Block> reading_;    // not over yet
  std::vector<std::int64_t> open_;  // its requests under way
  bool has_ended_ = false;
};

}  // namespace reprise::sim
