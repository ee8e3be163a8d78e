// SPDX-License-Identifier: MIT
#include "recorder/finish/node_clocks.hpp"

#include <algorithm>

#include "trace-io/base/integers.hpp"

namespace reprise::recorder {
namespace {

using trace_io::WideSigned;

// The line through (x0, y0) and (x1, y1), at x; a level one where they are one point.
std::int64_t on_line(std::int64_t x0, std::int64_t y0, std::int64_t x1, std::int64_t y1,
                     std::int64_t x) {
  if (x1 == x0) return y0;
  return y0 + static_cast<std::int64_t>(WideSigned{y1 - y0} * (x - x0) / (x1 - x0));
}

}  // namespace

ClockOffset offset_of(std::span<const RoundTrip> trips) {
  const auto shortest = std::ranges::min_element(
      trips, {}, [](const RoundTrip& trip) { return trip.received - trip.sent; });
  const std::int64_t half = (shortest->received - shortest->sent) / 2;
  return {shortest->answered, shortest->sent + half - shortest->answered, half};
}

std::int64_t NodeClock::common(std::int64_t local) const {
  return local + on_line(first_.at, first_.offset, last_.at, last_.offset, local);
}

std::int64_t NodeClock::doubt() const { return std::max(first_.doubt, last_.doubt); }

std::int64_t CommonClock::at(std::uint64_t ticks) const {
  const auto passed = [&](std::uint64_t to) {
    return static_cast<std::int64_t>(to - first_.ticks);
  };
  return node_.common(on_line(0, static_cast<std::int64_t>(first_.monotonic), passed(last_.ticks),
                              static_cast<std::int64_t>(last_.monotonic), passed(ticks)));
}

}  // namespace reprise::recorder
