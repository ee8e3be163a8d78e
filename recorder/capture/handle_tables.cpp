// SPDX-License-Identifier: MIT
#include "recorder/capture/handle_tables.hpp"

namespace reprise::recorder {

std::uint32_t RequestTable::add(const Request& request, const void* starter) {
  const std::uint32_t slot = slots_.take();
  if (slot == requests_.size()) requests_.emplace_back();
  requests_[slot] = request;
  link(slot);
  if (by_age_ && !request.persistent && starter != nullptr) {
    requests_[slot].starter = starter;
    order_.start(slot);
  }
  return slot;
}

void RequestTable::remove(std::uint32_t slot) {
  unlink(slot);
  if (requests_[slot].starter != nullptr && requests_[slot].starter != this) order_.end(slot);
  slots_.release(slot);
}

void RequestTable::rename(std::uint32_t slot, HandleKey handle) {
  unlink(slot);
  requests_[slot].handle = handle;
  link(slot);
}

void RequestTable::link(std::uint32_t slot) {
  Request& request = requests_[slot];
  request.newer_alike = kUnknown;
  request.older_alike = heads_.find(request.handle);
  request.claim = 0;
  if (request.older_alike != kUnknown) requests_[request.older_alike].newer_alike = slot;
  heads_.set(request.handle, slot);
}

void RequestTable::unlink(std::uint32_t slot) {
  const Request& request = requests_[slot];
  if (request.older_alike != kUnknown)
    requests_[request.older_alike].newer_alike = request.newer_alike;
  if (request.newer_alike != kUnknown)
    requests_[request.newer_alike].older_alike = request.older_alike;
  else if (request.older_alike != kUnknown)
    heads_.set(request.handle, request.older_alike);
  else
    heads_.erase(request.handle);
}

// Newest first: what was never completed stays behind, and is not looked through again and again.
std::uint32_t RequestTable::claim_among_alike(std::uint32_t first, const void* where) {
  std::uint32_t oldest = kUnknown;
  int looked_at = 0;
  for (std::uint32_t slot = first; slot != kUnknown && (looked_at < kAlike || oldest == kUnknown);
       slot = requests_[slot].older_alike, ++looked_at) {
    if (requests_[slot].claim == claim_) continue;
    oldest = slot;
    if (requests_[slot].where == where) break;
  }
  if (oldest != kUnknown) requests_[oldest].claim = claim_;
  return oldest;
}

}  // namespace reprise::recorder
