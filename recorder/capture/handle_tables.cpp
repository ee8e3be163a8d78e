// SPDX-License-Identifier: MIT
#include "recorder/capture/handle_tables.hpp"

namespace reprise::recorder {

template <RequestTable::List kList>
void RequestTable::append(std::uint32_t first, std::uint32_t slot) {
  Request::Links& of_first = requests_[first].*kList;
  const std::uint32_t last = of_first.previous;
  (requests_[last].*kList).next = slot;
  of_first.previous = slot;
  requests_[slot].*kList = {kUnknown, last};
}

template <RequestTable::List kList>
std::uint32_t RequestTable::take_out(std::uint32_t first, std::uint32_t slot) {
  const Request::Links links = requests_[slot].*kList;
  if (slot == first) {
    if (links.next != kUnknown) (requests_[links.next].*kList).previous = links.previous;
    return links.next;
  }
  (requests_[links.previous].*kList).next = links.next;
  (requests_[links.next != kUnknown ? links.next : first].*kList).previous = links.previous;
  return first;
}

std::uint32_t RequestTable::add(const Request& request, const void* starter) {
  const std::uint32_t slot = slots_.take();
  if (slot == requests_.size()) requests_.emplace_back();
  requests_[slot] = request;
  requests_[slot].maker = starter;
  link(slot);
  if (by_age_ && !request.persistent && request.is_awaited && starter != nullptr) {
    requests_[slot].starter = starter;
    if (!is_deferring_) order_.start(slot);
  }
  return slot;
}

void RequestTable::remove(std::uint32_t slot) {
  unlink(slot);
  if (is_deferring_) [[unlikely]]
    return release_later(slot);
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
  request.claim = 0;
  request.is_crowded = false;
  const std::uint32_t first = heads_.find(request.handle);
  if (first == kUnknown) {
    request.alike = {kUnknown, slot};
    request.count = 1;
    heads_.set(request.handle, slot);
    return;
  }
  append<&Request::alike>(first, slot);
  ++requests_[first].count;
  if (requests_[first].is_crowded)
    enter(crowds_[request.handle], slot);
  else if (requests_[first].count > kFewAlike)
    gather(first);
}

void RequestTable::unlink(std::uint32_t slot) {
  const HandleKey handle = requests_[slot].handle;
  if (requests_[slot].alike.previous == slot && !requests_[slot].is_crowded)
    return heads_.erase(handle);  // the only one
  const std::uint32_t first = heads_.find(handle);
  const std::uint32_t count = requests_[first].count - 1;
  const bool is_crowded = requests_[first].is_crowded;
  if (is_crowded) leave(crowds_[handle], slot);
  const std::uint32_t now_first = take_out<&Request::alike>(first, slot);
  if (now_first == kUnknown) {
    heads_.erase(handle);
    if (is_crowded) crowds_.erase(handle);
    return;
  }
  if (now_first != first) heads_.set(handle, now_first);
  requests_[now_first].count = count;
  requests_[now_first].is_crowded = is_crowded;
}

void RequestTable::gather(std::uint32_t first) {
  Crowd& crowd = crowds_[requests_[first].handle];
  requests_[first].is_crowded = true;
  for (std::uint32_t slot = first; slot != kUnknown; slot = requests_[slot].alike.next)
    enter(crowd, slot);
}

void RequestTable::enter(Crowd& crowd, std::uint32_t slot) {
  const HandleKey place = key_of(requests_[slot].where);
  const std::uint32_t oldest = crowd.oldest.find(place);
  if (oldest != kUnknown) return append<&Request::here>(oldest, slot);
  requests_[slot].here = {kUnknown, slot};
  crowd.oldest.set(place, slot);
}

void RequestTable::leave(Crowd& crowd, std::uint32_t slot) {
  const HandleKey place = key_of(requests_[slot].where);
  const std::uint32_t oldest = crowd.oldest.find(place);
  const std::uint32_t now_oldest = take_out<&Request::here>(oldest, slot);
  if (now_oldest == kUnknown)
    crowd.oldest.erase(place);
  else if (now_oldest != oldest)
    crowd.oldest.set(place, now_oldest);
}

// Newest first: what was never completed stays behind, and is not looked through again and again.
std::uint32_t RequestTable::claim_among_alike(std::uint32_t first, const void* where) {
  std::uint32_t found = kUnknown;
  if (requests_[first].is_crowded) {
    found = find_in_crowd(first, where);
  } else {
    // Newest first: what was never completed stays behind, in a variable that may hold another handle now.
    std::uint32_t slot = first;
    do {
      slot = requests_[slot].alike.previous;
      if (requests_[slot].claim == claim_) continue;
      found = slot;
      if (requests_[slot].where == where) break;
    } while (slot != first);
  }
  if (found != kUnknown) requests_[found].claim = claim_;
  return found;
}

std::uint32_t RequestTable::find_in_crowd(std::uint32_t first, const void* where) {
  Crowd& crowd = crowds_[requests_[first].handle];
  if (const std::uint32_t oldest = crowd.oldest.find(key_of(where)); oldest != kUnknown) {
    std::uint32_t slot = oldest;
    do {
      slot = requests_[slot].here.previous;
      if (requests_[slot].claim != claim_) return slot;
    } while (slot != oldest);
  }
  // None is kept there: the oldest that this call has not claimed yet. What it has claimed stays so until the call is over.
  if (crowd.claim != claim_) {
    crowd.claim = claim_;
    crowd.unclaimed = first;
  }
  while (crowd.unclaimed != kUnknown && requests_[crowd.unclaimed].claim == claim_)
    crowd.unclaimed = requests_[crowd.unclaimed].alike.next;
  return crowd.unclaimed;
}

}  // namespace reprise::recorder
