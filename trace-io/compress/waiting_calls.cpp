// SPDX-License-Identifier: MIT
#include "trace-io/compress/waiting_calls.hpp"

#include <algorithm>

namespace reprise::trace_io {

void WaitingCalls::follow(std::span<const std::int64_t> scalars) {
  const auto fits = [](std::int64_t value) { return value == static_cast<std::int32_t>(value); };
  scalars_ = kNone;
  repeats_ = 0;
  if (scalars.size() > last_.size() || !std::ranges::all_of(scalars, fits)) return;
  scalars_ = static_cast<std::uint8_t>(scalars.size());
  for (std::size_t i = 0; i < scalars_; ++i) last_[i] = static_cast<std::int32_t>(scalars[i]);
}

}  // namespace reprise::trace_io
