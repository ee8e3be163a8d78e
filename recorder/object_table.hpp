// SPDX-License-Identifier: MIT
// The windows (and, in a second table, the files) that are alive: handle → slot and the communicator that it was made on.
//
// Slots    the smallest number that is free on this rank when the object is made.
// Threads  none: the caller holds the handle lock.
// Cost     find(): a comparison for the object used last, else a hash look-up.
#pragma once

#include <cstdint>
#include <vector>

#include "recorder/free_slots.hpp"
#include "recorder/handle_map.hpp"

namespace reprise::recorder {

struct CommunicatorInfo;

class ObjectTable {
 public:
  struct Object {
    std::uint32_t slot = 0;
    const CommunicatorInfo* comm = nullptr;
  };

  // Null where nothing is known of it. Holds until the next add() or remove().
  const Object* find(HandleKey handle) {
    if (last_ != nullptr && handle == last_handle_) return last_;
    const std::uint32_t slot = slots_.find(handle);
    if (slot == HandleMap::kAbsent) return nullptr;
    last_handle_ = handle;
    return last_ = &objects_[slot];
  }

  const Object& add(HandleKey handle, const CommunicatorInfo& comm) {
    remove(handle);  // freed where we did not see it
    last_ = nullptr;
    const std::uint32_t slot = free_.take();
    if (slot >= objects_.size()) objects_.resize(slot + 1);
    objects_[slot] = {slot, &comm};
    slots_.set(handle, slot);
    return objects_[slot];
  }

  void remove(HandleKey handle) {
    last_ = nullptr;
    const std::uint32_t slot = slots_.find(handle);
    if (slot == HandleMap::kAbsent) return;
    slots_.erase(handle);
    free_.release(slot);
  }

 private:
  HandleMap slots_;
  FreeSlots free_;
  std::vector<Object> objects_;  // by slot
  HandleKey last_handle_ = 0;
  const Object* last_ = nullptr;
};

}  // namespace reprise::recorder
