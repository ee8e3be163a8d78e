// SPDX-License-Identifier: MIT
// Knows what a non-blocking wildcard receive will match: what it matched when it was recorded.
//
// Why   such a receive is posted without its match; the match is in the trace, at the call that completed the request. A second
//       cursor runs ahead of the replay until it gets there.
// Cost  every event is walked once more, on ranks that use such receives; memory: the matches between the two cursors.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/engine/loop/request.hpp"
#include "trace-io/walk/cursor.hpp"

namespace reprise::sim {

class EventFields;

class WildcardScout {
 public:
  // Walks the rank's thread from its beginning.
  WildcardScout(const trace_io::Programs&, Rank, std::size_t thread);
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
  std::vector<Slot> slots_;
};

}  // namespace reprise::sim
