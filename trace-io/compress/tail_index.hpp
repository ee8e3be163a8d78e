// SPDX-License-Identifier: MIT
// Where in a program the last 64 leaves came before: the ends of earlier nodes by the hash of the leaves in front of them.
//
// What for  a repetition is looked for where it would have to have begun. A period of any length proposes itself as soon as its
//           last leaves have come twice: no suffix structure is kept up to date, and nothing is compared leaf by leaf.
// Choice    a suffix automaton finds the same and takes 100 bytes a call and has no cheap way to take back what a fold removes.
//           Sequitur (Nevill-Manning and Witten, 1997), which Pilgrim uses, folds equal pairs at once and makes rules that are
//           no loops of the program. Ends by hash are a stack: what a fold takes out is popped.
// Cost      push, pop: O(1). Memory: 16 bytes a node, and 4 to 8 for its bucket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace reprise::trace_io {

class TailIndex {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  // The next node ends with this tail (fold_node.hpp). REQUIRES: fewer than 2³² − 1 nodes.
  void push(std::uint64_t tail) {
    if (entries_.size() == heads_.size()) grow();
    link(tail);
  }
  void pop() {  // the last node is gone
    heads_[bucket_of(entries_.back().tail)] = entries_.back().previous;
    entries_.pop_back();
  }

  // The node before `node` that ends as it does, or kNone. Cost: O(1) expected; at most kSteps.
  std::uint32_t previous(std::uint32_t node) const {
    const std::uint64_t tail = entries_[node].tail;
    std::uint32_t earlier = entries_[node].previous;
    for (int step = 0; step < kSteps && earlier != kNone; ++step) {
      if (entries_[earlier].tail == tail) return earlier;
      earlier = entries_[earlier].previous;
    }
    return kNone;
  }
  std::uint64_t tail(std::size_t node) const { return entries_[node].tail; }
  std::size_t memory_bytes() const {
    return entries_.capacity() * sizeof(Entry) + heads_.capacity() * sizeof heads_.front();
  }

 private:
  static constexpr int kSteps = 16;
  struct Entry {
    std::uint64_t tail;
    std::uint32_t previous;  // in the same bucket
  };

  std::size_t bucket_of(std::uint64_t tail) const { return tail & (heads_.size() - 1); }
  void link(std::uint64_t tail) {
    std::uint32_t& head = heads_[bucket_of(tail)];
    entries_.push_back({tail, head});
    head = static_cast<std::uint32_t>(entries_.size() - 1);
  }
  void grow() {
    std::vector<Entry> old;
    old.swap(entries_);
    heads_.assign(heads_.empty() ? 64 : 2 * heads_.size(), kNone);
    entries_.reserve(heads_.size());
    for (const Entry& entry : old) link(entry.tail);
  }

  std::vector<Entry> entries_;        // by node
  std::vector<std::uint32_t> heads_;  // a power of two: the last node of a bucket
};

}  // namespace reprise::trace_io
