// SPDX-License-Identifier: MIT
#include "trace-io/model/message_times.hpp"

#include <algorithm>
#include <cmath>

namespace reprise::trace_io {
namespace {

void count(std::vector<LatencyBucket>& buckets, const LatencyBucket& added) {
  const auto at = std::ranges::lower_bound(buckets, added.code, {}, &LatencyBucket::code);
  if (at != buckets.end() && at->code == added.code)
    at->count += added.count;
  else
    buckets.insert(at, added);
}

}  // namespace

void LatencyStat::add(Nanoseconds time) {
  time = std::max(time, Nanoseconds{});
  min = count == 0 ? time : std::min(min, time);
  max = count == 0 ? time : std::max(max, time);
  ++count;
  sum += time;
  trace_io::count(buckets, {bucket_of(static_cast<std::uint64_t>(time.value)), 1});
}

void LatencyStat::unite(const LatencyStat& other) {
  if (other.count == 0) return;
  min = count == 0 ? other.min : std::min(min, other.min);
  max = count == 0 ? other.max : std::max(max, other.max);
  count += other.count;
  sum += other.sum;
  for (const LatencyBucket& bucket : other.buckets) trace_io::count(buckets, bucket);
}

Nanoseconds LatencyStat::mean() const {
  return count == 0 ? Nanoseconds{} : Nanoseconds{sum.value / static_cast<std::int64_t>(count)};
}

Nanoseconds LatencyStat::quantile(double share) const {
  if (count == 0) return Nanoseconds{};
  const double wanted = share * static_cast<double>(count);
  double below = 0;
  for (const LatencyBucket& bucket : buckets) {
    const auto here = static_cast<double>(bucket.count);
    if (below + here < wanted) {
      below += here;
      continue;
    }
    const auto from =
        std::max(static_cast<double>(bucket_start(bucket.code)), static_cast<double>(min.value));
    const auto to = std::min(static_cast<double>(bucket_start(bucket.code + 1)),
                             static_cast<double>(max.value));
    return Nanoseconds{std::llround(from + (to - from) * (wanted - below) / here)};
  }
  return max;
}

}  // namespace reprise::trace_io
