// SPDX-License-Identifier: MIT
#include "sim/engine/point_to_point/long_match_queue.hpp"

#include <algorithm>
#include <utility>

namespace reprise::sim {
namespace {

// All bits count: ranks and tags are often powers of two apart (multiplicative hashing, Knuth, TAOCP 3, §6.4).
std::size_t hash(const MatchEntry& what) {
  const auto peer = static_cast<std::uint32_t>(what.peer),
             tag = static_cast<std::uint32_t>(what.tag);
  const std::uint64_t mixed =
      (std::uint64_t{what.context.value} << 48) ^ (std::uint64_t{tag} << 24) ^ std::uint64_t{peer};
  return static_cast<std::size_t>((mixed * 0x9E3779B97F4A7C15U) >> 32);
}

bool is_alike(const MatchEntry& a, const MatchEntry& b) {
  return a.context == b.context && a.peer == b.peer && a.tag == b.tag;
}

bool is_wild_request(const MatchEntry& entry) { return entry.pattern().is_wild(); }

}  // namespace

std::size_t LongMatchQueue::slot_of(const MatchEntry& what) const {
  const std::size_t mask = lists_.size() - 1;
  std::size_t at = hash(what) & mask;
  while (lists_[at] != kNothing && !is_alike(entries_[lists_[at]], what)) at = (at + 1) & mask;
  return at;
}

LongMatchQueue::Place LongMatchQueue::first_of(const MatchEntry& what) const {
  const Place first = lists_[slot_of(what)];
  return first == kNothing || entries_[first].id == kNothing ? kNothing : first;
}

void LongMatchQueue::append(const MatchEntry& entry) {
  if (entries_.size() >= 64 && entries_.size() >= 2 * std::size_t{live_}) close_gaps();
  entries_.push_back(entry);
  links_.emplace_back();
  ++live_;
  wild_ += is_wild_request(entry) ? 1 : 0;
  if (2 * std::size_t{used_ + 1} > lists_.size())
    rebuild();
  else
    link(static_cast<Place>(entries_.size() - 1));
}

void LongMatchQueue::link(Place place) {
  Place& first = lists_[slot_of(entries_[place])];
  if (first == kNothing) ++used_;
  if (first == kNothing || entries_[first].id == kNothing) {
    first = place;
    links_[place] = {kNothing, place};
    return;
  }
  links_[links_[first].last].next = place;
  links_[first].last = place;
}

void LongMatchQueue::close_gaps() {
  std::erase_if(entries_, [](const MatchEntry& entry) { return entry.id == kNothing; });
  links_.resize(entries_.size());
  first_ = 0;
  rebuild();
}

// The table anew, with room for twice the lists of what is there.
void LongMatchQueue::rebuild() {
  std::size_t room = 64;
  while (room < 4 * std::size_t{live_}) room *= 2;
  lists_.assign(room, kNothing);
  used_ = 0;
  std::fill(links_.begin(), links_.end(), Links{});
  for (Place place = first_; place < entries_.size(); ++place)
    if (entries_[place].id != kNothing) link(place);
}

LongMatchQueue::Place LongMatchQueue::place_for_message(Context context, std::int32_t from,
                                                        std::int32_t tag) const {
  Place first = first_of({context, from, tag});
  if (wild_ == 0) return first;
  first = std::min(first, first_of({context, kAnyPeer, tag}));
  first = std::min(first, first_of({context, from, kAnyTagValue}));
  return std::min(first, first_of({context, kAnyPeer, kAnyTagValue}));
}

LongMatchQueue::Place LongMatchQueue::place_of_message(const Pattern& pattern) const {
  if (!pattern.is_wild()) return first_of({pattern.context, pattern.peer, pattern.tag});
  for (Place place = first_; place < entries_.size(); ++place) {
    const MatchEntry& entry = entries_[place];
    if (entry.id != kNothing && pattern.covers(entry)) return place;
  }
  return kNothing;
}

std::uint32_t LongMatchQueue::take(Place place) {
  if (place == kNothing) return kNothing;
  const std::uint32_t id = std::exchange(entries_[place].id, kNothing);
  --live_;
  wild_ -= is_wild_request(entries_[place]) ? 1 : 0;
  Place& first = lists_[slot_of(entries_[place])];
  const Place last = links_[first].last;
  while (entries_[first].id == kNothing && links_[first].next != kNothing)
    first = links_[first].next;
  links_[first].last = last;
  while (first_ < entries_.size() && entries_[first_].id == kNothing) ++first_;
  return id;
}

std::uint32_t LongMatchQueue::find_for_message(Context context, std::int32_t from,
                                               std::int32_t tag) const {
  const Place place = place_for_message(context, from, tag);
  return place == kNothing ? kNothing : entries_[place].id;
}

std::uint32_t LongMatchQueue::take_for_message(Context context, std::int32_t from,
                                               std::int32_t tag) {
  return take(place_for_message(context, from, tag));
}

std::uint32_t LongMatchQueue::find_message(const Pattern& pattern) const {
  const Place place = place_of_message(pattern);
  return place == kNothing ? kNothing : entries_[place].id;
}

std::uint32_t LongMatchQueue::take_message(const Pattern& pattern) {
  return take(place_of_message(pattern));
}

void LongMatchQueue::find_messages(const Pattern& pattern,
                                   std::vector<std::uint32_t>& found) const {
  for (Place place = first_; place < entries_.size(); ++place) {
    const MatchEntry& entry = entries_[place];
    if (entry.id != kNothing && pattern.covers(entry)) found.push_back(entry.id);
  }
}

void LongMatchQueue::remove(const MatchEntry& entry) {
  for (Place place = first_of(entry); place != kNothing; place = links_[place].next)
    if (entries_[place].id == entry.id) {
      take(place);
      return;
    }
}

}  // namespace reprise::sim
