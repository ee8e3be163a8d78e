// SPDX-License-Identifier: MIT
#include "trace-io/compress/waiting_calls.hpp"

#include <algorithm>

namespace reprise::trace_io {

void WaitingCalls::follow(const EventView& event, SiteId predecessor, std::size_t path) {
  const auto fits = [](std::int64_t value) { return value == static_cast<std::int32_t>(value); };
  is_steady_ = false;
  predecessor_ = predecessor;
  const bool can_wait = event.vectors.empty() && event.scalars.size() <= last_.size() &&
                        path < kNone && std::ranges::all_of(event.scalars, fits);
  scalars_ = can_wait ? static_cast<std::uint8_t>(event.scalars.size()) : kNone;
  if (!can_wait) return;
  path_ = static_cast<std::uint8_t>(path);
  for (std::size_t i = 0; i < scalars_; ++i) last_[i] = static_cast<std::int32_t>(event.scalars[i]);
}

bool WaitingCalls::turn_to(SiteId predecessor, std::size_t path) {
  if (path >= kNone) return false;
  predecessor_ = predecessor;
  path_ = static_cast<std::uint8_t>(path);
  return true;
}

}  // namespace reprise::trace_io
