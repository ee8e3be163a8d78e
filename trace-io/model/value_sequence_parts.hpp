// SPDX-License-Identifier: MIT
// The inside of ValueSequence: folded terms, the prediction inside a loop, and the search for new loops.
//
// Idea    Values are first cut into runs, greedily; two values that differ make a run only once a third continues them (until
//         then they are a pair that can be cut). A finished run becomes a term. If the last L terms equal the L terms before
//         them, they become a loop; if the last L, the L before and the L before those differ by one and the same shift (two could
//         by chance), a shifted loop. From then on the sequence predicts: it follows the loop's body with a stack of frames
//         and does nothing but count as long as the values agree. When one does not, the part of the body that was
//         followed is written out as terms, its last run is opened again, and the value is appended to that.
//         Periods of up to kWindow / 2 terms are looked for directly. For longer ones (an irregular list of sizes that comes
//         back in every call) a table of the places where the last few terms were seen proposes one candidate, and each
//         new term confirms or ends it.
//         Where kPatience searches leave more than a quarter as many terms, only one search of eight is a full one: the others
//         look for short periods and leave long ones to the table.
// Cost    A failing prediction copies at most one term per value that was followed. The search compares hashes of at most
//         kWindow / 2 terms, and two differences for each of a third of kShiftWindow: up to 2000 instructions, far fewer where values are irregular. While values are irregular: 24 bytes a term, and 20 to 24 for each of the last 2¹⁷.
// Layout  nodes are the terms in pre-order without the open run; the body of a loop follows its node.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {

// 24 bytes, because irregular values cost one node each.
struct ValueNode {
  std::int64_t start = 0;   // of a loop: the number of nodes in its body
  std::int64_t stride = 0;  // of a loop: its shift
  std::uint64_t count_and_kind = 0;

  static constexpr std::uint64_t kLoop = std::uint64_t{1} << 63;
  static ValueNode run(std::int64_t start, std::int64_t stride, std::uint64_t count) {
    return {start, stride, count};
  }
  static ValueNode loop(std::size_t body, std::uint64_t count, std::int64_t shift) {
    return {static_cast<std::int64_t>(body), shift, count | kLoop};
  }
  bool is_loop() const { return (count_and_kind & kLoop) != 0; }
  bool is_single() const { return count_and_kind == 1; }
  std::uint64_t count() const { return count_and_kind & ~kLoop; }
  std::uint32_t body() const { return is_loop() ? static_cast<std::uint32_t>(start) : 0; }
  std::uint32_t span() const { return 1 + body(); }
  friend bool operator==(const ValueNode&, const ValueNode&) = default;
};

struct TopTerm {  // a term that is in no loop
  std::uint64_t hash;
  std::uint32_t begin;
  std::uint32_t body;  // of a loop; 0 for a run
};

// Watches the tops for a period that is longer than the direct search reaches.
class LongPeriod {
 public:
  static constexpr std::size_t kLongest = std::size_t{1}
                                          << 16;  // a list with an entry for each of 65536 ranks
  void last_was_added(const std::vector<TopTerm>& tops);  // REQUIRES: called for each, in order
  void last_were_replaced(
      const std::vector<TopTerm>& tops);  // by one, the last now: a loop inside the period
  void forget() { period_ = matched_ = broken_.length = 0; }
  // The last so many terms have the hashes of those before them; 0 where none.
  std::size_t found() const { return matched_ >= period_ ? period_ : 0; }

 private:
  static constexpr std::size_t kSeen = 4;  // terms that must agree to propose a period
  struct Agreement {
    std::size_t period = 0, length = 0, last = 0;
  };
  void break_off(std::size_t last_agreed);
  void grow(const std::vector<TopTerm>& tops);

  std::vector<std::uint32_t>
      places_;  // by hash of kSeen terms: where the last of them was; may be out of date
  std::size_t period_ = 0, matched_ = 0;
  std::size_t last_ = 0;  // index of the term added last
  Agreement
      broken_;  // the longest one that ended, to be taken up again after a loop has been folded
};

struct ValueSequence::Folded {
  using Top = TopTerm;
  struct Frame {
    std::uint32_t loop, at;   // nodes: the loop and the child of it that is being followed
    std::uint64_t iteration;  // of an inner loop; the outermost counts in its node
    friend bool operator==(const Frame&, const Frame&) = default;
  };

  std::vector<ValueNode> nodes;
  std::vector<Frame>
      frames;  // outermost first; empty where the last term is not a loop that is being repeated
  std::uint64_t before = 0;  // values before the current run
  std::uint64_t changes =
      0;  // of structure: the same number before and after means that predictions held all the time
  std::vector<Top> tops;  // the last of them; filled when first needed, never copied
  bool indexed = false;
  bool grown =
      true;  // value by value, or as if; a copy that goes on has forgotten how long ago periods began
  LongPeriod long_period;
  // The searches for a loop, what there was at the last kPatience-th, and whether few folded anything since the one before.
  struct Effort {
    std::uint64_t searches = 0, nodes = 0;
    bool is_irregular = false;
  } effort;

  Folded() = default;
  Folded(const Folded&);
  void index_tops();
  void take_index_of(const Folded& original) {  // REQUIRES: a copy of it
    tops = original.tops;
    indexed = original.indexed;
    long_period = original.long_period;
  }
  void note_top(Top);
  bool fold_last(
      std::size_t length);  // the last `length` terms onto those before them, if they are equal
  bool fold_shifted(std::size_t length);  // onto the two before them, if they differ by a shift
  bool continues(std::size_t loop, std::size_t begin)
      const;  // whether the nodes from `begin` on are one more iteration of it
  void push_top(const ValueNode*, std::size_t span);
  void rehash_last_top();
  bool may_be_shifted(std::size_t length) const;
  // While values are irregular, n terms every n / kOften terms: a period is found as late as a part of itself, and a search is short on average.
  std::size_t longest_to_look_for();
  bool fold();  // makes or lengthens a loop at the end; true where it did
  bool fold_within(std::size_t longest);
  void next_run();  // moves the frames to the next run of the loop
  void descend();   // from a child that is a loop to the first run in it
  void copy_followed(std::vector<ValueNode>& to)
      const;  // whole terms of the current iteration, without the current run
  std::uint64_t offset()
      const;  // of the current iterations: what their runs are greater by than the nodes say
};

// What a sequence that grew value by value to so many terms takes on the heap, and what a copy of it takes: that looks nothing up. Bytes;
// of a run alone 0. Cost: O(1). Grown vectors have room to spare.
std::size_t grown_heap_bytes(std::size_t terms);
std::size_t copied_heap_bytes(std::size_t terms);

std::uint64_t hash_of(const ValueNode*, const ValueNode* end);
std::uint64_t values_in(const ValueNode*, const ValueNode* end);
int depth_of(const ValueNode*, const ValueNode* end);  // of loops
void copy_shifted(const ValueNode*, const ValueNode* end, std::uint64_t offset,
                  std::vector<ValueNode>& to);

}  // namespace reprise::trace_io
