// SPDX-License-Identifier: MIT
// Gives out the smallest number that is free: request slots, message slots, copy numbers of communicators.
//
// Cost    take, release: O(1) but where many numbers in a row are taken; 64 numbers are one word.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace reprise {

class FreeSlots {
 public:
  std::uint32_t take() {
    while (first_ < words_.size() && words_[first_] == ~std::uint64_t{0}) ++first_;
    if (first_ == words_.size()) words_.push_back(0);
    const int bit = std::countr_one(words_[first_]);
    words_[first_] |= std::uint64_t{1} << bit;
    return static_cast<std::uint32_t>(first_ * 64) + static_cast<std::uint32_t>(bit);
  }
  // REQUIRES: taken.
  void release(std::uint32_t slot) {
    words_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    if (slot / 64 < first_) first_ = slot / 64;
  }

 private:
  std::vector<std::uint64_t> words_;  // bit set: taken
  std::size_t first_ = 0;             // no word before this one has a free bit
};

}  // namespace reprise
