// SPDX-License-Identifier: MIT
// The call paths that a thread's samples have met, each once, and how often since the last call of MPI. Written by a signal handler.
//
// Bounded  kMostStacks paths of together kMostWords addresses. Where there is no room for a path its innermost address stands for it;
//          where there is none for that, the sample is left out and counted.
// Signals  add() takes no lock and allocates nothing. Paths are never moved or changed: who has the number of one may read it at any time.
// Threads  add(), take() and discard() on one thread, and take() while no add() can come (see ThreadSampler).
// Memory   a mapping of 700 KB of its own, of which only the pages that are used are ever touched: not the allocator's, which may take huge pages or
//          those that others have used. What is left after keep_used_only() is no more than the paths.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace reprise::recorder {

class SampleTable {
 public:
  static constexpr std::size_t kMostStacks = 4096, kMostWords = std::size_t{1} << 16U;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  SampleTable();  // may throw std::bad_alloc

  // A sample's call path. False where it was left out.
  bool add(std::span<const std::uintptr_t> addresses, bool reached_end,
           std::uint32_t samples) noexcept;
  bool has_any() const { return touched_ != 0; }
  // Calls visit(stack, samples) for each path met since the last time.
  template <class Visit>
  void take(const Visit& visit) {
    for (; touched_ != 0; --touched_) {
      const std::uint32_t stack = room_->waiting[touched_ - 1];
      visit(stack, stacks_[stack].samples);
      stacks_[stack].samples = 0;
    }
  }
  void discard() noexcept {
    take([](std::uint32_t, std::uint32_t) {});
  }
  // No sample is added from now on: what was met since the last time is forgotten, and the mapping goes. May throw std::bad_alloc, changing nothing.
  void keep_used_only();

  std::span<const std::uintptr_t> addresses(std::uint32_t stack) const {
    return {words_ + stacks_[stack].first, stacks_[stack].count};
  }
  bool reached_end(std::uint32_t stack) const { return stacks_[stack].reached_end; }

 private:
  struct Stack {
    std::uint64_t hash;
    std::uint32_t first, samples, next;
    std::uint16_t count;
    bool reached_end;
  };
  static constexpr std::size_t kBuckets = 2 * kMostStacks;
  struct Room {                                   // as the kernel gives it, all 0
    std::array<std::uint32_t, kBuckets> buckets;  // stacks, as `next` has them: 1 + number, or 0
    std::array<std::uint32_t, kMostStacks> waiting;
    std::array<Stack, kMostStacks> stacks;
    std::array<std::uintptr_t, kMostWords> words;
  };
  struct Unmap {
    void operator()(Room*) const noexcept;
  };

  std::uint32_t find(std::span<const std::uintptr_t>, bool reached_end) noexcept;

  std::unique_ptr<Room, Unmap> room_;
  std::vector<Stack> used_stacks_;  // what is kept of the room
  std::vector<std::uintptr_t> used_words_;
  Stack* stacks_;  // of either
  std::uintptr_t* words_;
  std::uint32_t stack_count_ = 0, word_count_ = 0, touched_ = 0;
};

}  // namespace reprise::recorder
