// SPDX-License-Identifier: MIT
// A matching queue of many entries: the same order as MatchQueue's (matching.hpp), found by hashing what is looked for.
//
// How     entries stay in the order in which they came. Those with equal context, peer and tag are a list, and a table has the first of
//         each list. An exact pattern is one look-up; a message is looked for among posted receives as what it is, and, while there are wild ones, from
//         any peer, with any tag, and both: the earliest of the four is the first that matches. An entry that goes leaves a gap; gaps
//         are closed when half the queue is gaps.
// Cost    constant per entry that comes or goes, amortised: a cache line of the table and one of the entry. A wild pattern, which only
//         messages are looked for with, is searched entry by entry. Some 32 to 40 bytes an entry.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/point_to_point/match_entry.hpp"
#include "sim/fetch.hpp"

namespace reprise::sim {

class LongMatchQueue {
 public:
  template <class Entries>
  explicit LongMatchQueue(const Entries& entries) {
    for (const MatchEntry& entry : entries) append(entry);
  }

  bool empty() const { return live_ == 0; }
  void append(const MatchEntry&);
  // The first posted receive that a message matches; kNothing where there is none.
  std::uint32_t find_for_message(Context, std::int32_t from, std::int32_t tag) const;
  std::uint32_t take_for_message(Context, std::int32_t from, std::int32_t tag);
  // The first message that a pattern matches; all of them, in order.
  std::uint32_t find_message(const Pattern&) const;
  std::uint32_t take_message(const Pattern&);
  void find_messages(const Pattern&, std::vector<std::uint32_t>& found) const;
  // Nothing happens where there is no such entry.
  void remove(const MatchEntry&);
  // Such a message, or pattern that is not wild, will be looked for in so many steps, 2 or 1 (sim/fetch.hpp).
  void prepare(const MatchEntry& what, unsigned steps) const {
    const Place& home = lists_[home_of(what)];
    if (steps > 1)
      prefetch(&home);
    else if (home != kNothing)
      fetch(nodes_[home]);
  }

 private:
  using Place = std::uint32_t;  // in nodes_; kNothing: none
  struct Node {
    MatchEntry entry;  // a gap has kNothing for its id
    // In the list of entries that are looked for alike.
    Place next = kNothing;
    Place last = kNothing;  // of the list; kept in its first entry only
  };

  std::size_t home_of(const MatchEntry& what) const;  // where a search for it begins
  // Where the table has the list, or the free place where it belongs.
  std::size_t slot_of(const MatchEntry& what) const;
  Place first_of(const MatchEntry& what) const;
  Place place_for_message(Context, std::int32_t from, std::int32_t tag) const;
  Place place_of_message(const Pattern&) const;
  std::uint32_t take(Place);
  void link(Place);
  void pass(Place& first);
  void close_gaps();
  void rebuild();

  std::vector<Node> nodes_;
  Place first_ = 0;  // before it are gaps only
  std::uint32_t live_ = 0, wild_ = 0;
  std::vector<Place>
      lists_;  // a power of two; the first of each list, or, where it is empty, the last that it had
  std::uint32_t used_ = 0;  // of these
};

}  // namespace reprise::sim
