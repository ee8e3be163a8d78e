// SPDX-License-Identifier: MIT
// The requests of a thread that are not complete, in the order in which they were started: what a trace calls them by.
//
// Age     kNewest is the request started last, kNewest − 1 the one before it, and so on, of those that are not complete. The age of a
//         request follows from what was started after it and is still under way. What is older has no part in it: a request that is
//         never completed changes no number of a later one, and one that outlives a loop is found again at the age that it
//         had before, however often the loop went round.
// Slots   who keeps the requests calls them by slots; they are small numbers, used again.
// Cost    start: O(1). find, end: O(1) where requests are looked up in the order they were started, or in the opposite one; else
//         O(age). sweep: O(age of the oldest that ended).
// Source  positions from the front as in move-to-front coding (Bentley et al., CACM 29(4), 1986).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace reprise::trace_io {

class RequestOrder {
 public:
  static constexpr std::int64_t kNewest = -2;
  static constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};

  void start(std::uint32_t slot) { slots_.push_back(slot); }
  std::size_t size() const { return slots_.size(); }

  // The age of the request in a slot, as a number ≤ kNewest; −1 where there is none.
  std::int64_t age_of(std::uint32_t slot) {
    if (!find(slot)) return -1;
    return kNewest - static_cast<std::int64_t>(slots_.size() - 1 - found_);
  }
  // The slot of the request of that age; kNoSlot where there are not so many.
  std::uint32_t slot_of(std::int64_t age) const {
    const auto before = static_cast<std::uint64_t>(kNewest) - static_cast<std::uint64_t>(age);
    return before < slots_.size() ? slots_[slots_.size() - 1 - before] : kNoSlot;
  }

  // Where the request in a slot stands, from the oldest on; size() where there is none.
  std::size_t place_of(std::uint32_t slot) { return find(slot) ? found_ : slots_.size(); }
  // Another request takes that place. REQUIRES: place < size(); no slot has two places when all is done.
  void put(std::size_t place, std::uint32_t slot) { slots_[place] = slot; }

  // The request in the slot is complete. Ages stay as they are until sweep(): all that one call completes is named first.
  void end(std::uint32_t slot) {
    if (!find(slot)) return;
    slots_[found_] = kNoSlot;
    if (found_ < first_gap_) first_gap_ = found_;
  }
  void sweep() {
    if (first_gap_ >= slots_.size()) return;
    std::size_t kept = first_gap_;
    for (std::size_t i = first_gap_; i < slots_.size(); ++i)
      if (slots_[i] != kNoSlot) slots_[kept++] = slots_[i];
    slots_.resize(kept);
    first_gap_ = kNoGap;
  }

 private:
  static constexpr std::size_t kNoGap = ~std::size_t{0};

  bool find(std::uint32_t slot) {
    for (const std::size_t near : {found_, found_ + 1, found_ - 1})
      if (near < slots_.size() && slots_[near] == slot) {
        found_ = near;
        return true;
      }
    for (std::size_t i = slots_.size(); i-- > 0;)
      if (slots_[i] == slot) {
        found_ = i;
        return true;
      }
    return false;
  }

  std::vector<std::uint32_t> slots_;  // oldest first
  std::size_t found_ = 0;             // where the last one was found
  std::size_t first_gap_ = kNoGap;
};

}  // namespace reprise::trace_io
