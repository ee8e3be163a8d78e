// SPDX-License-Identifier: MIT
#include "sim/engine/point_to_point/matching.hpp"

#include <algorithm>

namespace reprise::sim {
namespace {

bool covers(std::int32_t wanted_peer, std::int32_t wanted_tag, std::int32_t peer,
            std::int32_t tag) {
  return (wanted_peer == peer || wanted_peer == kAnyPeer) &&
         (wanted_tag == tag || wanted_tag == kAnyTagValue);
}

}  // namespace

std::uint32_t MatchQueue::take_for_message(Context context, std::int32_t from, std::int32_t tag) {
  for (std::size_t place = first_; place < entries_.size(); ++place) {
    const Entry& entry = entries_[place];
    if (entry.context != context || !covers(entry.peer, entry.tag, from, tag)) continue;
    const std::uint32_t id = entry.id;
    take_out(place);
    return id;
  }
  return kNothing;
}

std::uint32_t MatchQueue::find_for_message(Context context, std::int32_t from,
                                           std::int32_t tag) const {
  for (auto entry = begin(); entry != entries_.end(); ++entry)
    if (entry->context == context && covers(entry->peer, entry->tag, from, tag)) return entry->id;
  return kNothing;
}

std::uint32_t MatchQueue::find_message(const Pattern& pattern) const {
  for (auto entry = begin(); entry != entries_.end(); ++entry)
    if (entry->context == pattern.context &&
        covers(pattern.peer, pattern.tag, entry->peer, entry->tag))
      return entry->id;
  return kNothing;
}

void MatchQueue::find_messages(const Pattern& pattern, std::vector<std::uint32_t>& found) const {
  found.clear();
  for (auto entry = begin(); entry != entries_.end(); ++entry)
    if (entry->context == pattern.context &&
        covers(pattern.peer, pattern.tag, entry->peer, entry->tag))
      found.push_back(entry->id);
}

void MatchQueue::remove(std::uint32_t id) {
  const auto found =
      std::find_if(begin(), entries_.cend(), [id](const Entry& entry) { return entry.id == id; });
  if (found != entries_.cend()) take_out(static_cast<std::size_t>(found - entries_.cbegin()));
}

void MatchQueue::take_out(std::size_t place) {
  const auto entry = entries_.begin() + static_cast<std::ptrdiff_t>(place);
  if (place != first_) {
    entries_.erase(entry);
  } else if (++first_; 2 * first_ >= entries_.size()) {
    entries_.erase(entries_.begin(), entry + 1);
    first_ = 0;
  }
}

}  // namespace reprise::sim
