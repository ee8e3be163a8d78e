// SPDX-License-Identifier: MIT
#include "sim/engine/loop/collective_handles.hpp"

namespace reprise::sim {

LocalHandle* CollectiveHandles::open(std::int32_t rank, std::int64_t slot,
                                     const CommunicatorView& comm) {
  auto& sides = sides_[static_cast<std::size_t>(rank)];
  if (slot < 0) return nullptr;
  LocalHandle& side = sides[slot];
  if (side.is_open) return nullptr;
  const Making making{comm.context, comm.entered, comm.number == 1 ? rank : 0};
  const auto [entry, is_first] = being_made_.try_emplace(making, 0);
  if (is_first && unused_.empty()) {
    entry->second = static_cast<std::uint32_t>(objects_.size());
    objects_.emplace_back();
  } else if (is_first) {
    entry->second = unused_.back();
    unused_.pop_back();
  }
  Object& object = objects_[entry->second];
  if (is_first) {
    object.joined = object.left = 0;
    ++object.generation;
  }
  side.is_open = true;
  side.object = entry->second;
  side.view = comm;
  side.view.context = first_context_ + stride_ * side.object;
  side.view.entered = object.entered;
  if (++object.joined == comm.members()) being_made_.erase(entry);
  return &side;
}

LocalHandle* CollectiveHandles::find(std::int32_t rank, std::int64_t slot) {
  auto& sides = sides_[static_cast<std::size_t>(rank)];
  const auto found = sides.find(slot);
  return found != sides.end() && found->second.is_open ? &found->second : nullptr;
}

void CollectiveHandles::close(LocalHandle& side) {
  side.is_open = false;
  Object& object = objects_[side.object];
  if (++object.left < side.view.members()) return;
  object.entered = side.view.entered;
  unused_.push_back(side.object);
}

std::optional<std::int64_t> CollectiveHandles::slot_of(std::int32_t rank,
                                                       std::uint32_t object) const {
  for (const auto& [slot, side] : sides_[static_cast<std::size_t>(rank)])
    if (side.is_open && side.object == object) return slot;
  return std::nullopt;
}

std::optional<std::uint32_t> CollectiveHandles::entered(std::int32_t rank,
                                                        std::uint32_t context) const {
  if (context < first_context_ || (context - first_context_) % stride_ != 0) return std::nullopt;
  for (const auto& [slot, side] : sides_[static_cast<std::size_t>(rank)])
    if (side.view.context == context) return side.view.entered;
  return 0;
}

}  // namespace reprise::sim
