// SPDX-License-Identifier: MIT
#include "recorder/calls/function_numbers.hpp"

#include <sys/mman.h>

namespace reprise::recorder {

bool FunctionNumbers::begin() noexcept {
  constexpr std::size_t kSize = kSlots * sizeof(Slot) + 65536 * sizeof(std::atomic<std::uintptr_t>);
  void* memory = mmap(nullptr, kSize, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  slots_ = static_cast<Slot*>(memory);
  keys_ = reinterpret_cast<std::atomic<std::uintptr_t>*>(slots_ + kSlots);
  return true;
}

std::uint16_t FunctionNumbers::wait_for(const Slot& slot) noexcept {
  // another thread is between two stores; where it does not run meanwhile, the function is one of the others this once
  for (int tries = 0; tries < 1000; ++tries)
    if (const std::uint32_t number = slot.number.load(std::memory_order_acquire); number != 0)
      return static_cast<std::uint16_t>(number);
  return other();
}

std::uint16_t FunctionNumbers::insert(std::uintptr_t key, std::size_t slot) noexcept {
  if (next_.load(std::memory_order_relaxed) >= trace_io::kMostFunctions) return other();
  std::uintptr_t nobody = 0;
  if (!slots_[slot].key.compare_exchange_strong(nobody, key, std::memory_order_acq_rel))
    return nobody == key ? number_in(slots_[slot]) : find(key);
  const std::uint32_t number = next_.fetch_add(1, std::memory_order_acq_rel) + 1;
  if (number > trace_io::kMostFunctions) {
    slots_[slot].number.store(trace_io::kOtherFunctions, std::memory_order_release);
    return other();
  }
  keys_[number].store(key, std::memory_order_release);
  slots_[slot].number.store(number, std::memory_order_release);
  return static_cast<std::uint16_t>(number);
}

}  // namespace reprise::recorder
