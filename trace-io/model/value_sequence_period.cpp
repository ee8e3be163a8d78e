// SPDX-License-Identifier: MIT
// Periods too long for the direct search.
#include <algorithm>

#include "trace-io/model/value_sequence_parts.hpp"

namespace reprise::trace_io {
namespace {

std::uint64_t gram(const std::vector<TopTerm>& tops, std::size_t last, std::size_t length) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < length; ++i)
    hash = (hash ^ tops[last - i].hash) * 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 32U);
}

constexpr std::size_t kMostLookedBack = 256;  // keeps the work per term bounded

}  // namespace

void LongPeriod::last_was_added(const std::vector<TopTerm>& tops) {
  const std::size_t last = tops.size() - 1;
  last_ = last;
  if (period_ > 0 && last >= period_ && tops[last].hash == tops[last - period_].hash) {
    ++matched_;
  } else {
    break_off(last - 1);
  }
  // Up to here the direct search sees everything.
  if (last <= ValueSequence::kWindow / 2) return;
  if (places_.size() < 2 * tops.size()) grow(tops);
  std::uint32_t& place = places_[gram(tops, last, kSeen) & (places_.size() - 1)];
  const std::size_t before = place;
  place = static_cast<std::uint32_t>(last);
  if (period_ > 0 || before + 1 < kSeen || before >= last || last - before > kLongest) return;
  // How far back both agree: a loop starts as early as it can.
  const std::size_t period = last - before;
  std::size_t agreed = 0;
  while (agreed <= before && agreed < kMostLookedBack &&
         tops[before - agreed].hash == tops[last - agreed].hash) {
    ++agreed;
    if (period == broken_.period && last - agreed == broken_.last && broken_.length > 0) {
      agreed += broken_.length;
      break;
    }
  }
  if (agreed < kSeen) return;
  period_ = period;
  matched_ = agreed;
}

void LongPeriod::break_off(std::size_t last_agreed) {
  if (period_ > 0 && (matched_ > broken_.length || period_ == broken_.period))
    broken_ = {period_, matched_, last_agreed};
  period_ = matched_ = 0;
}

void LongPeriod::last_were_replaced(const std::vector<TopTerm>& tops) {
  break_off(last_);
  last_ = tops.size() - 1;
  const std::size_t replaced =
      broken_.last + 1 - std::min(broken_.last + 1, last_);  // of those that agreed
  broken_.length -= std::min(broken_.length, replaced);
  broken_.last -= replaced;
}

void LongPeriod::grow(const std::vector<TopTerm>& tops) {
  std::size_t size = 4 * ValueSequence::kWindow;
  while (size < 4 * tops.size()) size *= 2;
  places_.assign(size, 0);
  for (std::size_t last = kSeen - 1; last + 1 < tops.size(); ++last)
    places_[gram(tops, last, kSeen) & (size - 1)] = static_cast<std::uint32_t>(last);
}

}  // namespace reprise::trace_io
