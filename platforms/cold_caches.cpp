// SPDX-License-Identifier: MIT
#include "platforms/cold_caches.hpp"

#include <algorithm>
#include <cmath>

namespace reprise::platforms {
namespace {

double number(Bytes size) { return static_cast<double>(size.value); }

double at_size(const std::vector<SizePoint>& points, Bytes size) {
  if (points.empty()) return 0;
  if (size <= points.front().bytes) return points.front().time.value;
  if (size >= points.back().bytes) return points.back().time.value;
  const auto above = std::find_if(points.begin() + 1, points.end() - 1,
                                  [&](const SizePoint& point) { return size <= point.bytes; });
  const SizePoint &low = *(above - 1), &high = *above;
  return std::lerp(low.time.value, high.time.value,
                   (number(size) - number(low.bytes)) / (number(high.bytes) - number(low.bytes)));
}

}  // namespace

Seconds cold_cost(const std::vector<ColdCosts>& levels, ColdCost cost, Seconds computed,
                  Bytes size) {
  if (levels.empty() || computed.value <= 0) return {};
  const auto above = std::find_if(levels.begin(), levels.end(), [&](const ColdCosts& level) {
    return computed.value < level.after.value;
  });
  if (above == levels.end()) return Seconds{at_size(levels.back().*cost, size)};
  const bool is_first = above == levels.begin();
  const double before = is_first ? 0 : (above - 1)->after.value;
  const double low = is_first ? 0 : at_size((*(above - 1)).*cost, size);
  const double high = at_size((*above).*cost, size);
  return Seconds{std::lerp(low, high, (computed.value - before) / (above->after.value - before))};
}

}  // namespace reprise::platforms
