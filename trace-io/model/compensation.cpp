// SPDX-License-Identifier: MIT
#include "trace-io/model/compensation.hpp"

#include <algorithm>
#include <cmath>

namespace reprise::trace_io {

std::string_view name_of(OverheadKind kind) {
  return kind == OverheadKind::call ? "call" : "completion";
}

Nanoseconds overhead_at(const OverheadCurve& curve, Nanoseconds period) {
  const auto after = std::ranges::upper_bound(curve, period, {}, &OverheadPoint::period);
  if (after == curve.begin()) return curve.front().overhead;
  const OverheadPoint& low = *(after - 1);
  if (after == curve.end()) return low.overhead;
  const auto logarithm = [](Nanoseconds time) {
    return std::log2(static_cast<double>(std::max<std::int64_t>(time.value, 1)));
  };
  const double part = (logarithm(period) - logarithm(low.period)) /
                      std::max(logarithm(after->period) - logarithm(low.period), 1e-9);
  return Nanoseconds{
      low.overhead.value +
      std::llround(part * static_cast<double>(after->overhead.value - low.overhead.value))};
}

}  // namespace reprise::trace_io
