// SPDX-License-Identifier: MIT
// Which collectives have been entered by some members and not yet by all, and whether all mean the same one.
//
// MPI 3.1 §5.12: members call collectives on a communicator in the same order; so the k-th call of each member is one operation.
// Cost  O(1) per entry.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "trace-io/model/event.hpp"
#include "trace-io/model/procedure.hpp"

namespace reprise::sim {

class OpenCollectives {
 public:
  static constexpr std::int32_t kNoRoot = -1, kUnknownRoot = -2;
  struct Entry {
    trace_io::Collective operation = trace_io::Collective::none;  // none: the making of a communicator
    std::int32_t root = kNoRoot;  // world rank
    std::int32_t rank = 0;   // who entered first
    trace_io::SiteId site = trace_io::kNoSite;
  };

  // The rank's `sequence`-th collective on the communicator, which has `members` members. The first entry of the same
  // collective where it disagrees in operation or root.
  std::optional<Entry> enter(std::uint32_t communicator, std::uint32_t sequence, std::int32_t members, const Entry&);

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
