// SPDX-License-Identifier: MIT
#include "platforms/calibration/message_costs.hpp"

#include <algorithm>

#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

void scale(std::optional<BytesPerSecond>& rate, double factor) {
  if (rate) rate->value /= factor;
}

void scale(LinkSpec& link, double factor) {
  link.latency = link.latency * factor;
  link.bandwidth.value /= factor;
}

void scale(Mpi& mpi, double factor) {
  mpi.send_overhead = mpi.send_overhead * factor;
  mpi.recv_overhead = mpi.recv_overhead * factor;
  for (SizeTime& step : mpi.acknowledgements) step.time = step.time * factor;
  for (ColdCosts& level : mpi.cold_caches)
    for (auto* points : {&level.send_overhead, &level.recv_overhead, &level.copy})
      for (SizePoint& point : *points) point.time = point.time * factor;
  scale(mpi.copy_bandwidth, factor);
}

}  // namespace

double message_uncertainty(const Platform& platform) {
  double share = 0;
  for (const Mpi* mpi : {&platform.mpi, &platform.intra_node_mpi})
    if (mpi->uncertainty) share = std::max(share, mpi->uncertainty->typical);
  return share;
}

Platform with_message_costs(Platform platform, double factor) {
  REPRISE_ASSERT(factor > 0, "costs stay above zero");
  scale(platform.mpi, factor);
  scale(platform.intra_node_mpi, factor);
  scale(platform.intra_node_per_receiver, factor);
  scale(platform.reduction_bandwidth, factor);
  for (const auto& links : {node_links(platform), network_links(platform)})
    for (const Cable& cable : links) scale(*cable.link, factor);
  return platform;
}

}  // namespace reprise::platforms
