// SPDX-License-Identifier: MIT
#include "sim/engine/point_to_point/matching.hpp"

#include <algorithm>

namespace reprise::sim {

void MatchQueue::append(const Entry& entry) {
  if (long_ != nullptr)
    long_->append(entry);
  else
    entries_.push_back(entry);
}

void MatchQueue::take_out(std::size_t place) {
  const auto entry = entries_.begin() + static_cast<std::ptrdiff_t>(place);
  if (place != first_) {
    entries_.erase(entry);
  } else if (++first_; 2 * std::size_t{first_} >= entries_.size()) {
    entries_.erase(entries_.begin(), entry + 1);
    first_ = 0;
  }
}

// Of the first entries; where it is not among them all go to where they are hashed.
template <class Matches>
std::uint32_t MatchQueue::take_first(Matches matches) {
  const std::size_t end = std::min(entries_.size(), first_ + kFew);
  for (std::size_t place = first_; place < end; ++place) {
    if (!matches(entries_[place])) continue;
    const std::uint32_t id = entries_[place].id;
    take_out(place);
    return id;
  }
  if (end == entries_.size()) return kNothing;
  hash();
  return kNothing;
}

void MatchQueue::hash() {
  long_ = std::make_unique<LongMatchQueue>(
      std::span(entries_.data() + first_, entries_.size() - first_));
  entries_.clear();
  first_ = 0;
}

std::uint32_t MatchQueue::take_for_message(Context context, std::int32_t from, std::int32_t tag) {
  if (long_ == nullptr) {
    const std::uint32_t id =
        take_first([&](const Entry& entry) { return entry.pattern().covers(context, from, tag); });
    if (id != kNothing || long_ == nullptr) return id;
  }
  const std::uint32_t id = long_->take_for_message(context, from, tag);
  if (long_->empty()) long_.reset();
  return id;
}

std::uint32_t MatchQueue::glance_for_message(Context context, std::int32_t from,
                                             std::int32_t tag) const {
  if (long_ != nullptr) return long_->find_for_message(context, from, tag);
  const std::size_t end = std::min(entries_.size(), first_ + kFew);
  for (std::size_t place = first_; place < end; ++place)
    if (entries_[place].pattern().covers(context, from, tag)) return entries_[place].id;
  return kNothing;
}

std::uint32_t MatchQueue::find_message(const Pattern& pattern) const {
  if (long_ != nullptr) return long_->find_message(pattern);
  for (std::size_t place = first_; place < entries_.size(); ++place)
    if (pattern.covers(entries_[place])) return entries_[place].id;
  return kNothing;
}

std::uint32_t MatchQueue::find_hashed(const Pattern& pattern) {
  if (long_ == nullptr && entries_.size() > first_ + kFew) hash();
  return find_message(pattern);
}

std::uint32_t MatchQueue::take_message(const Pattern& pattern) {
  if (long_ == nullptr) {
    const std::uint32_t id = take_first([&](const Entry& entry) { return pattern.covers(entry); });
    if (id != kNothing || long_ == nullptr) return id;
  }
  const std::uint32_t id = long_->take_message(pattern);
  if (long_->empty()) long_.reset();
  return id;
}

void MatchQueue::find_messages(const Pattern& pattern, std::vector<std::uint32_t>& found) const {
  found.clear();
  if (long_ != nullptr) return long_->find_messages(pattern, found);
  for (std::size_t place = first_; place < entries_.size(); ++place)
    if (pattern.covers(entries_[place])) found.push_back(entries_[place].id);
}

void MatchQueue::remove(const Entry& entry) {
  if (long_ != nullptr) {
    long_->remove(entry);
    if (long_->empty()) long_.reset();
    return;
  }
  for (std::size_t place = first_; place < entries_.size(); ++place)
    if (entries_[place].id == entry.id) return take_out(place);
}

}  // namespace reprise::sim
