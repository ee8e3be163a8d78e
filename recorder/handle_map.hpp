// SPDX-License-Identifier: MIT
// From an MPI handle (a pointer or a small integer) to a 32-bit number: open addressing with linear probing.
//
// Cost    find, insert, erase: one or two cache lines; no allocation but when growing. Erasing leaves no tombstones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace reprise::recorder {

using HandleKey = std::uint64_t;

template <class Handle>
HandleKey key_of(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<std::uintptr_t>(handle);
  } else {
    return static_cast<HandleKey>(static_cast<std::make_unsigned_t<Handle>>(handle));
  }
}

class HandleMap {
 public:
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};

  HandleMap() : slots_(64) {}

  std::uint32_t find(HandleKey key) const {
    for (std::size_t i = home(key); slots_[i].value != kAbsent; i = (i + 1) & mask())
      if (slots_[i].key == key) return slots_[i].value;
    return kAbsent;
  }
  // Overwrites. REQUIRES: value != kAbsent.
  void set(HandleKey key, std::uint32_t value) {
    std::size_t i = home(key);
    for (; slots_[i].value != kAbsent; i = (i + 1) & mask())
      if (slots_[i].key == key) {
        slots_[i].value = value;
        return;
      }
    slots_[i] = {key, value};
    if (++size_ * 2 > slots_.size()) grow();
  }
  void erase(HandleKey key) {
    std::size_t i = home(key);
    for (; slots_[i].value != kAbsent && slots_[i].key != key; i = (i + 1) & mask()) {
    }
    if (slots_[i].value == kAbsent) return;
    --size_;
    // Close the gap: whatever follows in the same run and may stand here moves here.
    for (std::size_t next = (i + 1) & mask(); slots_[next].value != kAbsent;
         next = (next + 1) & mask())
      if (((next - home(slots_[next].key)) & mask()) >= ((next - i) & mask())) {
        slots_[i] = slots_[next];
        i = next;
      }
    slots_[i].value = kAbsent;
  }

 private:
  struct Slot {
    HandleKey key = 0;
    std::uint32_t value = kAbsent;
  };
  std::size_t mask() const { return slots_.size() - 1; }
  std::size_t home(HandleKey key) const { return ((key * 0x9e3779b97f4a7c15u) >> 32) & mask(); }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    size_ = 0;
    for (const Slot& slot : old)
      if (slot.value != kAbsent) set(slot.key, slot.value);
  }

  std::vector<Slot> slots_;  // a power of two, at most half full
  std::size_t size_ = 0;
};

}  // namespace reprise::recorder
