// SPDX-License-Identifier: MIT
// Objects in a pool, of which millions come and go, each addressed by a small number.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "sim/fetch.hpp"
#include "sim/network/large_pages.hpp"

namespace reprise::sim {

// Numbers that are free, of which the one that has come back last is taken first.
class LastNumbers {
 public:
  bool empty() const { return free_.empty(); }
  std::uint32_t take() {  // REQUIRES: !empty()
    const std::uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }
  void give_back(std::uint32_t number) { free_.push_back(number); }

 private:
  LargeArray<std::uint32_t> free_;
};

// Numbers that are free. From kFew on the least is taken first: those that are taken one after the other stand side by side, in whatever
// order they have come back, and so does all that others keep by these numbers. Few are in the caches anyway: of them the one that has come
// back last is taken first.
//
// Cost    take and give_back of few as a stack's; of many some words of a tree of bits, 64 ways a level. Memory: a bit a number, and a 63rd more.
class FreeNumbers {
 public:
  static constexpr std::uint32_t kFew = 16'384;
  explicit FreeNumbers(std::uint32_t few = kFew) : few_(few) {}

  bool empty() const { return free_ == 0 && last_.empty(); }
  std::uint32_t take() {  // REQUIRES: !empty()
    if (levels_ == 0) return last_.take();
    std::uint32_t at = 0;
    for (std::size_t level = levels_; level-- > 0;)
      at = at * kWays + static_cast<std::uint32_t>(std::countr_zero(bits_[level][at]));
    --free_;
    std::uint32_t place = at;
    for (std::size_t level = 0; level < levels_; ++level) {
      std::uint64_t& word = bits_[level][place / kWays];
      word &= word - 1;  // the least one
      if (word != 0) break;
      place /= kWays;
    }
    return at;
  }
  void give_back(std::uint32_t number) {
    if (levels_ == 0 && number < few_) return last_.give_back(number);
    grow(number);
    while (!last_.empty()) note(last_.take());
    note(number);
  }

 private:
  static constexpr std::uint32_t kWays = 64;

  void note(std::uint32_t number) {
    ++free_;
    for (std::size_t level = 0; level < levels_; ++level) {
      std::uint64_t& word = bits_[level][number / kWays];
      const bool was_empty = word == 0;
      word |= std::uint64_t{1} << number % kWays;
      if (!was_empty) break;
      number /= kWays;
    }
  }

  void grow(std::uint32_t number) {
    if (number / kWays < bits_[0].size()) return;
    std::size_t words = number / kWays + std::size_t{1};
    for (std::size_t level = 0;; ++level) {
      const std::size_t before = bits_[level].size();
      if (level >= levels_) {  // of one word so far, or of none
        levels_ = level + 1;
        bits_[level].resize(words);
        if (level > 0 && !bits_[level - 1].empty() && bits_[level - 1][0] != 0) bits_[level][0] = 1;
      } else if (before < words) {
        bits_[level].resize(words);
      }
      if (words == 1) return;
      words = (words + kWays - 1) / kWays;
    }
  }

  std::array<LargeArray<std::uint64_t>, 6>
      bits_;  // the second level has a bit for each word of the first
  std::size_t levels_ = 0, free_ = 0;
  LastNumbers last_;  // while all are few
  std::uint32_t few_;
};

// No allocation once the pool has grown.
//
// Objects keep their contents when given back (their own buffers are reused); the taker sets what it needs.
// Addresses change when the pool grows: hold the index, not a reference, across take().
template <class Object, class Numbers = FreeNumbers>
class Pool {
 public:
  std::uint32_t take() {
    if (!free_.empty()) return free_.take();
    objects_.emplace_back();
    return static_cast<std::uint32_t>(objects_.size() - 1);
  }
  void give_back(std::uint32_t index) { free_.give_back(index); }
  Object& operator[](std::uint32_t index) { return objects_[index]; }
  const Object& operator[](std::uint32_t index) const { return objects_[index]; }
  std::uint32_t size() const {
    return static_cast<std::uint32_t>(objects_.size());
  }  // taken and free ones

 private:
  LargeArray<Object> objects_;
  Numbers free_;
};

}  // namespace reprise::sim
