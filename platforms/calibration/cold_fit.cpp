// SPDX-License-Identifier: MIT
#include "platforms/calibration/cold_fit.hpp"

#include <algorithm>
#include <set>

namespace reprise::platforms {
namespace {

using What = Series::What;

// More than cold caches can cost: a thousand lines of MPI's code and data, and each byte of the message.
constexpr double kMostCode = 100e-6;

const Series* series_after(const Measurements& measured, What what, MeasuredPath path,
                           double after) {
  const auto found =
      std::find_if(measured.series.begin(), measured.series.end(), [&](const Series& series) {
        return series.what == what && series.path == path && series.after &&
               series.after->value == after;
      });
  return found == measured.series.end() ? nullptr : &*found;
}

// By size, what it takes longer than after no computing, less LESS.
std::vector<SizePoint> longer(const Measurements& measured, What what, MeasuredPath path,
                              double after, unsigned& left_out, double less = 0) {
  std::vector<SizePoint> points;
  const Series* base = series_after(measured, what, path, 0);
  const Series* cold = series_after(measured, what, path, after);
  if (base == nullptr || cold == nullptr) return points;
  for (const Sample& sample : cold->samples) {
    const auto same = std::find_if(base->samples.begin(), base->samples.end(),
                                   [&](const Sample& one) { return one.bytes == sample.bytes; });
    if (same == base->samples.end()) continue;
    const double more = std::max(0.0, sample.time.value - same->time.value - less);
    if (sample.is_disturbed || same->is_disturbed ||
        more > kMostCode + kMostColdPerByte * static_cast<double>(sample.bytes.value))
      ++left_out;
    else
      points.push_back({sample.bytes, Seconds{more}});
  }
  return points;
}

double first(const std::vector<SizePoint>& points) {
  return points.empty() ? 0 : points.front().time.value;
}

}  // namespace

ColdFit fit_cold_caches(const Measurements& measured, MeasuredPath path, Bytes eager_limit) {
  std::set<double> times;
  for (const Series& series : measured.series)
    if (series.path == path && series.after && series.after->value > 0)
      times.insert(series.after->value);
  ColdFit fit;
  for (const double after : times) {
    const auto of = [&](What what, double less = 0) {
      return longer(measured, what, path, after, fit.left_out, less);
    };
    ColdCosts level{Seconds{after}, of(What::kColdSend), of(What::kColdReceive),
                    of(What::kColdCopy)};
    const double sending = first(level.send_overhead);
    bool has_larger = false;
    for (const SizePoint& point : of(What::kColdRoundTrip, sending + first(level.recv_overhead)))
      if (level.recv_overhead.empty() || point.bytes > level.recv_overhead.back().bytes) {
        level.recv_overhead.push_back(point);
        has_larger = true;
      }
    // The step is at the eager limit, whichever sizes below it were left out.
    const Bytes larger =
        std::max(eager_limit,
                 level.send_overhead.empty() ? Bytes{} : level.send_overhead.back().bytes) +
        Bytes{1};
    if (has_larger && !level.send_overhead.empty() &&
        level.send_overhead.back().time.value != sending)
      level.send_overhead.push_back({larger, Seconds{sending}});
    if (!level.send_overhead.empty() || !level.recv_overhead.empty() || !level.copy.empty())
      fit.levels.push_back(std::move(level));
  }
  return fit;
}

}  // namespace reprise::platforms
