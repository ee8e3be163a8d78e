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

std::size_t LongMatchQueue::home_of(const MatchEntry& what) const {
  return hash(what) & (lists_.size() - 1);
}

std::size_t LongMatchQueue::slot_of(const MatchEntry& what) const {
  std::size_t at = home_of(what);
  while (lists_[at] != kNothing && !is_alike(nodes_[lists_[at]].entry, what))
    at = (at + 1) & (lists_.size() - 1);
  return at;
}

LongMatchQueue::Place LongMatchQueue::first_of(const MatchEntry& what) const {
  const Place first = lists_[slot_of(what)];
  return first == kNothing || nodes_[first].entry.id == kNothing ? kNothing : first;
}

void LongMatchQueue::append(const MatchEntry& entry) {
  if (nodes_.size() >= 64 && nodes_.size() >= 2 * std::size_t{live_}) close_gaps();
  nodes_.push_back({.entry = entry});
  ++live_;
  wild_ += is_wild_request(entry) ? 1 : 0;
  if (2 * std::size_t{used_ + 1} > lists_.size())
    rebuild();
  else
    link(static_cast<Place>(nodes_.size() - 1));
}

void LongMatchQueue::link(Place place) {
  Place& first = lists_[slot_of(nodes_[place].entry)];
  if (first == kNothing) ++used_;
  if (first == kNothing || nodes_[first].entry.id == kNothing) {
    first = place;
    nodes_[place].next = kNothing;
    nodes_[place].last = place;
    return;
  }
  nodes_[nodes_[first].last].next = place;
  nodes_[first].last = place;
}

void LongMatchQueue::close_gaps() {
  std::erase_if(nodes_, [](const Node& node) { return node.entry.id == kNothing; });
  first_ = 0;
  rebuild();
}

// The table anew, with room for twice the lists of what is there.
void LongMatchQueue::rebuild() {
  std::size_t room = 64;
  while (room < 4 * std::size_t{live_}) room *= 2;
  lists_.assign(room, kNothing);
  used_ = 0;
  for (Node& node : nodes_) node.next = node.last = kNothing;
  for (Place place = first_; place < nodes_.size(); ++place)
    if (nodes_[place].entry.id != kNothing) link(place);
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
  for (Place place = first_; place < nodes_.size(); ++place) {
    const MatchEntry& entry = nodes_[place].entry;
    if (entry.id != kNothing && pattern.covers(entry)) return place;
  }
  return kNothing;
}

std::uint32_t LongMatchQueue::take(Place place) {
  if (place == kNothing) return kNothing;
  Node& taken = nodes_[place];
  const std::uint32_t id = std::exchange(taken.entry.id, kNothing);
  --live_;
  wild_ -= is_wild_request(taken.entry) ? 1 : 0;
  if (taken.last != place) pass(lists_[slot_of(taken.entry)]);
  while (first_ < nodes_.size() && nodes_[first_].entry.id == kNothing) ++first_;
  return id;
}

// The list begins with the first of its entries that is still there; where there is none, with the last that it had.
void LongMatchQueue::pass(Place& first) {
  const Place last = nodes_[first].last;
  while (nodes_[first].entry.id == kNothing && nodes_[first].next != kNothing)
    first = nodes_[first].next;
  nodes_[first].last = last;
}

std::uint32_t LongMatchQueue::find_for_message(Context context, std::int32_t from,
                                               std::int32_t tag) const {
  const Place place = place_for_message(context, from, tag);
  return place == kNothing ? kNothing : nodes_[place].entry.id;
}

std::uint32_t LongMatchQueue::take_for_message(Context context, std::int32_t from,
                                               std::int32_t tag) {
  return take(place_for_message(context, from, tag));
}

std::uint32_t LongMatchQueue::find_message(const Pattern& pattern) const {
  const Place place = place_of_message(pattern);
  return place == kNothing ? kNothing : nodes_[place].entry.id;
}

std::uint32_t LongMatchQueue::take_message(const Pattern& pattern) {
  return take(place_of_message(pattern));
}

void LongMatchQueue::find_messages(const Pattern& pattern,
                                   std::vector<std::uint32_t>& found) const {
  for (Place place = first_; place < nodes_.size(); ++place) {
    const MatchEntry& entry = nodes_[place].entry;
    if (entry.id != kNothing && pattern.covers(entry)) found.push_back(entry.id);
  }
}

void LongMatchQueue::remove(const MatchEntry& entry) {
  for (Place place = first_of(entry); place != kNothing; place = nodes_[place].next)
    if (nodes_[place].entry.id == entry.id) {
      take(place);
      return;
    }
}

}  // namespace reprise::sim
