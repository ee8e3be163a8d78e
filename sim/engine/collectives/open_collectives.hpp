// SPDX-License-Identifier: MIT
// Which collectives have been entered by some members and not yet by all, and what the first member said of them.
//
// MPI 3.1 §5.12: members call collectives on a communicator in the same order; so the k-th call of each member is one operation.
// The first one's choice of an algorithm holds for all.
// Cost  O(1) per entry.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "sim/collectives/schedule.hpp"
#include "trace-io/model/event.hpp"

namespace reprise::sim {

class OpenCollectives {
 public:
  static constexpr std::int32_t kNoRoot = -1, kUnknownRoot = -2;
  struct Entry {
    trace_io::Collective operation =
        trace_io::Collective::none;  // none: the making of a communicator
    std::int32_t root = kNoRoot;     // world rank
    std::optional<Bytes> bytes;      // where all members must say the same
    bool commutes = true;
    std::int32_t members = 0;  // that the communicator has
    std::int32_t rank = 0;     // who entered first
    trace_io::SiteId site = trace_io::kNoSite;
    Choice choice;
  };
  // Entered by some and not by all.
  struct Unfinished {
    std::uint32_t communicator = 0, sequence = 0;
    std::int32_t entered = 0, members = 0;
    Entry first;
  };

  // The first entry of the rank's `sequence`-th collective on the communicator; null where the rank is the first to come.
  // Valid until the next call.
  const Entry* find(std::uint32_t communicator, std::uint32_t sequence) const;
  // Whether it can be entered: not one that all members have left, and none before its turn. What a communicator, window or file
  // with these members did before it had them (fences of a window on one rank alone) was not counted here: its first one may have
  // any number.
  bool admits(std::uint32_t communicator, std::uint32_t sequence) const;
  // REQUIRES: it is admitted, and the entry agrees with the first one.
  void enter(std::uint32_t communicator, std::uint32_t sequence, const Entry&);
  // The one that lacks members on the lowest communicator.
  std::optional<Unfinished> unfinished() const;

 private:
  struct Open {
    Entry first;
    std::int32_t entered = 0;
  };
  struct Communicator {
    std::uint32_t begin = 0;  // sequence number of the oldest open one
    std::deque<Open> open;
  };
  std::vector<Communicator> communicators_;
};

}  // namespace reprise::sim
