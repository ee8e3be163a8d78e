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
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (entry->context != context || !covers(entry->peer, entry->tag, from, tag)) continue;
    const std::uint32_t id = entry->id;
    entries_.erase(entry);
    return id;
  }
  return kNothing;
}

std::uint32_t MatchQueue::find_for_message(Context context, std::int32_t from,
                                           std::int32_t tag) const {
  for (const Entry& entry : entries_)
    if (entry.context == context && covers(entry.peer, entry.tag, from, tag)) return entry.id;
  return kNothing;
}

std::uint32_t MatchQueue::find_message(const Pattern& pattern) const {
  for (const Entry& entry : entries_)
    if (entry.context == pattern.context &&
        covers(pattern.peer, pattern.tag, entry.peer, entry.tag))
      return entry.id;
  return kNothing;
}

void MatchQueue::find_messages(const Pattern& pattern, std::vector<std::uint32_t>& found) const {
  found.clear();
  for (const Entry& entry : entries_)
    if (entry.context == pattern.context &&
        covers(pattern.peer, pattern.tag, entry.peer, entry.tag))
      found.push_back(entry.id);
}

void MatchQueue::remove(std::uint32_t id) {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [id](const Entry& entry) { return entry.id == id; });
  if (found != entries_.end()) entries_.erase(found);
}

}  // namespace reprise::sim
