// SPDX-License-Identifier: MIT
#include "platforms/calibration/socket_fit.hpp"

#include <algorithm>

#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

constexpr std::uint64_t kLongMessage = 64 << 10;

double factor_at(const std::vector<SizeFactor>& steps, Bytes size) {
  double factor = 1;
  for (const SizeFactor& step : steps)
    if (step.from <= size) factor = step.factor;
  return factor;
}

}  // namespace

std::optional<SocketFit> fit_sockets(const Measurements& measured, const LinkSpec& inside,
                                     const Mpi& mpi) {
  if (std::ranges::none_of(measured.series, [](const Series& series) {
        return series.path == MeasuredPath::kInterSocket;
      }))
    return std::nullopt;
  const Series* one_way = find_series(measured, Series::What::kOneWay, MeasuredPath::kInterSocket);
  const auto large = [&](std::size_t from_end) {
    return one_way->samples[one_way->samples.size() - from_end];
  };
  if (one_way == nullptr || one_way->samples.size() < 3 || large(2).bytes.value < kLongMessage)
    throw InputError("reprise platform calibrate",
                     "the times between sockets are not those of small and large messages one way",
                     "osu_latency measures them: mpirun -n 2 --bind-to core --map-by socket "
                     "osu_latency -m 0:4194304");
  SocketFit fit;
  fit.source = one_way->source;
  const Sample& smallest = one_way->samples.front();
  const double crossing = (smallest.time - mpi.send_overhead - mpi.recv_overhead).value /
                          factor_at(mpi.latency_factors, smallest.bytes);
  fit.latency = Seconds{std::max(0.0, crossing - 2 * inside.latency.value)};
  const Sample below = large(2), largest = large(1);
  const double slope = static_cast<double>(largest.bytes.value - below.bytes.value) /
                       std::max(1e-12, (largest.time - below.time).value) /
                       factor_at(mpi.bandwidth_factors, largest.bytes);
  constexpr double kAsFast = 0.98;
  fit.is_as_fast_inside = slope >= kAsFast * inside.bandwidth.value;
  fit.bandwidth = fit.is_as_fast_inside ? inside.bandwidth : BytesPerSecond{slope};
  return fit;
}

}  // namespace reprise::platforms
