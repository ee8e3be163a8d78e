// SPDX-License-Identifier: MIT
// Functions by number, in the order in which they were entered first: 1, 2, 3, … of all threads of the process together.
//
// Keys     the address of a function; or, below kMpiKeys, an MPI procedure.
// Safe     from any thread and signal handler: no lock, no allocation; a table of fixed size, asked for once and touched where it is used.
// Full     functions beyond 65534 are number 65535 together; how often they were entered is counted.
// Cost     find(): a few nanoseconds.
#pragma once

#include <atomic>
#include <cstdint>

#include "trace-io/calls/call_block.hpp"

namespace reprise::recorder {

inline constexpr std::uintptr_t kMpiKeys = 4096;  // no code is there

class FunctionNumbers {
 public:
  // False where there is no memory.
  bool begin() noexcept;
  std::uint16_t find(std::uintptr_t key) noexcept {
    std::size_t slot = key * 0x9e3779b97f4a7c15U >> (64U - kBits);
    for (std::size_t probe = 0; probe < kProbes; ++probe, slot = (slot + 1) & (kSlots - 1)) {
      const std::uintptr_t there = slots_[slot].key.load(std::memory_order_acquire);
      if (there == key) [[likely]]
        return number_in(slots_[slot]);
      if (there == 0) return insert(key, slot);
    }
    return other();
  }
  std::uint32_t count() const noexcept {
    const std::uint32_t next = next_.load(std::memory_order_acquire);
    return next < trace_io::kMostFunctions ? next : trace_io::kMostFunctions;
  }
  // 0 where a thread is just about to say it. REQUIRES: 1 ≤ number ≤ count().
  std::uintptr_t key_of(std::uint32_t number) const noexcept {
    return keys_[number].load(std::memory_order_acquire);
  }
  std::uint64_t entered_others() const noexcept { return others_.load(std::memory_order_relaxed); }

 private:
  static constexpr unsigned kBits = 17;
  static constexpr std::size_t kSlots = std::size_t{1} << kBits, kProbes = 512;
  struct Slot {
    std::atomic<std::uintptr_t> key;
    std::atomic<std::uint32_t> number;
  };
  std::uint16_t number_in(const Slot& slot) noexcept {
    const std::uint32_t number = slot.number.load(std::memory_order_acquire);
    return number != 0 ? static_cast<std::uint16_t>(number) : wait_for(slot);
  }
  std::uint16_t wait_for(const Slot&) noexcept;
  std::uint16_t insert(std::uintptr_t key, std::size_t slot) noexcept;
  std::uint16_t other() noexcept {
    others_.fetch_add(1, std::memory_order_relaxed);
    return trace_io::kOtherFunctions;
  }

  Slot* slots_ = nullptr;
  std::atomic<std::uintptr_t>* keys_ = nullptr;  // by number
  std::atomic<std::uint32_t> next_{0};
  std::atomic<std::uint64_t> others_{0};
};

}  // namespace reprise::recorder
