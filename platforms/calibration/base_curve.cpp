// SPDX-License-Identifier: MIT
#include "platforms/calibration/base_curve.hpp"

#include <algorithm>
#include <cmath>

#include "platforms/routes.hpp"

namespace reprise::platforms {
namespace {

constexpr double kLatencyAlone = 1.5;  // times an empty message: bytes hardly count
constexpr std::uint64_t kLongestMessage = std::uint64_t{16} << 20;

// What a message meets on its way.
struct Way {
  double latency = 0, bandwidth = 0;
};

Way way_of(const Platform& platform, MeasuredPath path) {
  if (path == MeasuredPath::kIntraNode) {
    double bandwidth = platform.intra_node.bandwidth.value;
    if (platform.intra_node_per_receiver)
      bandwidth = std::min(bandwidth, platform.intra_node_per_receiver->value);
    return {platform.intra_node.latency.value, bandwidth};
  }
  Route route;
  make_route_table(platform)->find_route(0, platform.ends_per_node(), route);
  return {route.latency.value, route.bandwidth.value};
}

bool is_known(const Platform& platform, MeasuredPath path) {
  return path == MeasuredPath::kIntraNode || (platform.network && platform.nodes.count > 1);
}

void fill(Series& series, const Platform& base) {
  const std::vector<Sample> measured = series.samples;
  const auto ratio = [&](const Sample& sample) {
    return sample.time / one_way_time(base, series.path, sample.bytes);
  };
  for (std::uint64_t n = 1; n <= kLongestMessage; n *= 2) {
    const bool is_near = std::ranges::any_of(measured, [&](const Sample& sample) {
      return 2 * sample.bytes.value >= n + n / 2 && sample.bytes.value < n + n / 2;
    });
    if (is_near) continue;
    const auto above = std::ranges::find_if(
        measured, [&](const Sample& sample) { return sample.bytes.value > n; });
    double time = one_way_time(base, series.path, Bytes{n}).value;
    if (above == measured.begin()) {
      const double least = one_way_time(base, series.path, above->bytes).value;
      const bool is_latency = least < kLatencyAlone * one_way_time(base, series.path, {}).value;
      time = std::min(is_latency ? time + above->time.value - least : time, above->time.value);
    } else if (above == measured.end()) {
      const Sample& largest = measured.back();
      time += largest.time.value - one_way_time(base, series.path, largest.bytes).value;
    } else {
      const Sample& below = *(above - 1);
      const auto place = [](std::uint64_t bytes) {
        return std::log2(static_cast<double>(std::max<std::uint64_t>(bytes, 1)));
      };
      const double from = place(below.bytes.value), to = place(above->bytes.value);
      const double share = to > from ? (place(n) - from) / (to - from) : 0;
      time *= ratio(below) * std::pow(ratio(*above) / ratio(below), share);
    }
    Sample added{Bytes{n}, Seconds{time}};
    added.is_of_base = true;
    series.samples.push_back(added);
  }
  std::ranges::stable_sort(series.samples, {}, &Sample::bytes);
}

}  // namespace

Seconds one_way_time(const Platform& platform, MeasuredPath path, Bytes bytes) {
  const Mpi& mpi = path == MeasuredPath::kIntraNode ? platform.intra_node_mpi : platform.mpi;
  const Way way = way_of(platform, path);
  const double handshake =
      mpi.rendezvous_handshake && bytes > mpi.eager_limit ? 2 * way.latency : 0;
  return Seconds{mpi.send_overhead.value + mpi.recv_overhead.value + handshake +
                 way.latency * mpi.latency_factor(bytes) +
                 static_cast<double>(bytes.value) / (way.bandwidth * mpi.bandwidth_factor(bytes))};
}

void add_base_sizes(Measurements& measured, const Platform& base) {
  for (Series& series : measured.series)
    if (series.what == Series::What::kOneWay && is_known(base, series.path)) fill(series, base);
}

}  // namespace reprise::platforms
