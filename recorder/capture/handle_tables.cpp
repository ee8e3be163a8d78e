// SPDX-License-Identifier: MIT
#include "recorder/capture/handle_tables.hpp"

namespace reprise::recorder {

std::uint32_t RequestTable::add(const Request& request) {
  const std::uint32_t slot = slots_.take();
  if (slot == requests_.size()) requests_.emplace_back();
  requests_[slot] = request;
  link(slot);
  return slot;
}

void RequestTable::remove(std::uint32_t slot) {
  unlink(slot);
  slots_.release(slot);
}

void RequestTable::rename(std::uint32_t slot, HandleKey handle) {
  unlink(slot);
  requests_[slot].handle = handle;
  link(slot);
}

void RequestTable::link(std::uint32_t slot) {
  Request& request = requests_[slot];
  request.next_alike = kUnknown;
  request.claim = 0;
  const std::uint32_t first = heads_.find(request.handle);
  if (first == kUnknown) {
    heads_.set(request.handle, slot);
    return;
  }
  std::uint32_t last = first;
  while (requests_[last].next_alike != kUnknown) last = requests_[last].next_alike;
  requests_[last].next_alike = slot;
}

void RequestTable::unlink(std::uint32_t slot) {
  const Request& request = requests_[slot];
  std::uint32_t before = heads_.find(request.handle);
  if (before != slot) {
    while (requests_[before].next_alike != slot) before = requests_[before].next_alike;
    requests_[before].next_alike = request.next_alike;
  } else if (request.next_alike != kUnknown) {
    heads_.set(request.handle, request.next_alike);
  } else {
    heads_.erase(request.handle);
  }
}

std::uint32_t RequestTable::claim_among_alike(std::uint32_t first, const void* where) {
  std::uint32_t oldest = kUnknown;
  for (std::uint32_t slot = first; slot != kUnknown; slot = requests_[slot].next_alike) {
    if (requests_[slot].claim == claim_) continue;
    if (requests_[slot].where == where) {
      oldest = slot;
      break;
    }
    if (oldest == kUnknown) oldest = slot;
  }
  if (oldest != kUnknown) requests_[oldest].claim = claim_;
  return oldest;
}

}  // namespace reprise::recorder
