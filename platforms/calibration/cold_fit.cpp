// SPDX-License-Identifier: MIT
#include "platforms/calibration/cold_fit.hpp"

#include <algorithm>
#include <set>

namespace reprise::platforms {
namespace {

using What = Series::What;

const Series* series_after(const Measurements& measured, What what, Path path, double after) {
  const auto found =
      std::find_if(measured.series.begin(), measured.series.end(), [&](const Series& series) {
        return series.what == what && series.path == path && series.after &&
               series.after->value == after;
      });
  return found == measured.series.end() ? nullptr : &*found;
}

// By size, what it takes longer than after no computing, less LESS.
std::vector<SizePoint> longer(const Measurements& measured, What what, Path path, double after,
                              double less = 0) {
  std::vector<SizePoint> points;
  const Series* base = series_after(measured, what, path, 0);
  const Series* cold = series_after(measured, what, path, after);
  if (base == nullptr || cold == nullptr) return points;
  for (const Sample& sample : cold->samples) {
    const auto same = std::find_if(base->samples.begin(), base->samples.end(),
                                   [&](const Sample& one) { return one.bytes == sample.bytes; });
    if (same != base->samples.end())
      points.push_back(
          {sample.bytes, Seconds{std::max(0.0, sample.time.value - same->time.value - less)}});
  }
  return points;
}

double first(const std::vector<SizePoint>& points) {
  return points.empty() ? 0 : points.front().time.value;
}

}  // namespace

std::vector<ColdCosts> fit_cold_caches(const Measurements& measured, Path path) {
  std::set<double> times;
  for (const Series& series : measured.series)
    if (series.path == path && series.after && series.after->value > 0)
      times.insert(series.after->value);
  std::vector<ColdCosts> levels;
  for (const double after : times) {
    ColdCosts level{Seconds{after}, longer(measured, What::kColdSend, path, after),
                    longer(measured, What::kColdReceive, path, after),
                    longer(measured, What::kColdCopy, path, after)};
    const double empty = first(level.send_overhead) + first(level.recv_overhead);
    for (const SizePoint& point : longer(measured, What::kColdRoundTrip, path, after, empty))
      if (level.recv_overhead.empty() || point.bytes > level.recv_overhead.back().bytes)
        level.recv_overhead.push_back(point);
    if (!level.send_overhead.empty() || !level.recv_overhead.empty() || !level.copy.empty())
      levels.push_back(std::move(level));
  }
  return levels;
}

}  // namespace reprise::platforms
