// SPDX-License-Identifier: MIT
// The loops being executed at the end of a program, and where the next event falls in them.
//
// Order   the place predicted by the innermost loop; then, from the innermost loop outwards: further on in the pass past loops
//         executed zero times, and over its end into the next pass. Loops that are left on the way are left where they stand.
//         Nothing changes until a place is certain.
// Detours an `if` that was never taken, an iteration that skips calls, a loop begun again from its middle: where the site is
//         known to the loops but cannot come next by their present structure, that structure is widened so that it can (rejoin).
//         What was not executed, or always once, so far becomes a loop of no or one pass. The recorded past stays exact.
// Ahead   a long body outgrows the nearest caches, and each of its calls would wait for the lines of its leaf. Which leaves come next is
//         known, so they are fetched up to three calls before: the leaf's front, and where its counters are due, these, then what they point to.
// Cost    predicted: one comparison. Otherwise O(loops passed over), no allocation in the steady state.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "trace-io/compress/fold_node.hpp"

namespace reprise::trace_io {

class ActiveLoops {
 public:
  // The loops that are open at a program's last node.
  void reopen(FoldNode& last);
  // Goes on to the site's leaf, where that is what the innermost loop has next; null, and no change, where it is not. Takes no memory but for iterations that
  // are recorded.
  FoldLeaf* step_to(SiteId site) {
    if (stack_.empty()) return nullptr;
    FoldLoop& inner = *stack_.back().loop;
    FoldLeaf* leaf = inner.body[inner.position]->leaf();
    if (leaf && leaf->site == site) {
      inner.step();
      if (inner.body.size() >= kLongBody) fetch_next_of(inner);
      return leaf;
    }
    return nullptr;
  }
  // Goes to the place where the site comes next, be it none that step_to() sees; null (and no change) where there is none.
  FoldLeaf* search_ahead(SiteId site) {
    FoldLeaf* leaf = stack_.empty() ? nullptr : search(site);
    if (leaf != nullptr) fetch_ahead();
    return leaf;
  }

  void fetch_ahead() {
    if (!stack_.empty() && stack_.back().loop->body.size() >= kLongBody)
      fetch_next_of(*stack_.back().loop);
  }

  // Whether the loops that are open at `loop` can be widened to have the site next, after a detour of nodes behind `loop` (if
  // any) that shares no site with it. Makes them the active ones; nothing else changes.
  bool can_rejoin(FoldNode& loop, SiteId, bool has_detour);
  // Does it and goes to the site's leaf. `loop` may become a loop of what it was.
  // REQUIRES: can_rejoin() of the same.
  FoldLeaf* rejoin(std::unique_ptr<FoldNode>& loop, FoldBody detour);

 private:
  enum class Found { yes, blocked, end };
  static constexpr std::size_t kLongBody = 32;

  void fetch_next_of(const FoldLoop&);

  FoldLeaf* search(SiteId);
  FoldLeaf* repeat_last(SiteId);
  FoldLeaf* go(std::size_t level, bool next_pass);
  Found find(const FoldBody&, std::size_t first, std::size_t last, const WantedSite&);
  bool find_anywhere(const FoldBody&, std::size_t first, std::size_t last, const WantedSite&);
  void insert_detour(FoldLoop&, FoldBody detour);
  void begin_again(std::unique_ptr<FoldNode>& loop, FoldBody detour);

  struct Open {
    FoldNode* node;
    FoldLoop* loop;  // in it
  };
  std::vector<Open> stack_;          // outermost first
  std::vector<std::uint32_t> path_;  // indices in nested bodies, innermost first
  unsigned due_ =
      0;  // a bit of each of the latest calls, the last one lowest: the leaf that was seen ahead touches more than its times
  struct Rejoining {
    std::size_t level = 0;
    enum class How { ahead, next_pass, again } how = How::ahead;
    ValueSequence exits;  // of the loop, once the detour is in its body
  } rejoining_;
};

}  // namespace reprise::trace_io
