// SPDX-License-Identifier: MIT
// The call paths that a thread's samples have met, each once, and how often since the last call of MPI. Written by a signal handler.
//
// Bounded  kMostStacks paths of together kMostWords addresses. Where there is no room for a path its innermost address stands for it;
//          where there is none for that, the sample is left out and counted.
// Signals  add() takes no lock and allocates nothing. Paths are never moved or changed: who has the number of one may read it at any time.
// Threads  add(), take() and discard() on one thread, and take() while no add() can come (see ThreadSampler).
// Memory   about 700 KB of addresses, of which only what is used is ever touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace reprise::recorder {

class SampleTable {
 public:
  static constexpr std::size_t kMostStacks = 4096, kMostWords = std::size_t{1} << 16U;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  SampleTable();

  // A sample's call path. False where it was left out.
  bool add(std::span<const std::uintptr_t> addresses, bool reached_end,
           std::uint32_t samples) noexcept;
  bool has_any() const { return touched_ != 0; }
  // Calls visit(stack, samples) for each path met since the last time.
  template <class Visit>
  void take(const Visit& visit) {
    for (; touched_ != 0; --touched_) {
      const std::uint32_t stack = waiting_[touched_ - 1];
      visit(stack, stacks_[stack].samples);
      stacks_[stack].samples = 0;
    }
  }
  void discard() noexcept {
    take([](std::uint32_t, std::uint32_t) {});
  }

  std::span<const std::uintptr_t> addresses(std::uint32_t stack) const {
    return {words_.get() + stacks_[stack].first, stacks_[stack].count};
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

  std::uint32_t find(std::span<const std::uintptr_t>, bool reached_end) noexcept;

  std::unique_ptr<std::uint32_t[]> buckets_, waiting_;
  std::unique_ptr<Stack[]> stacks_;
  std::unique_ptr<std::uintptr_t[]> words_;
  std::uint32_t stack_count_ = 0, word_count_ = 0, touched_ = 0;
};

}  // namespace reprise::recorder
