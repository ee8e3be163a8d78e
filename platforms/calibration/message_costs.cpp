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
  scale(platform.intra_node, factor);
  scale(platform.inter_socket, factor);
  scale(platform.intra_node_per_receiver, factor);
  scale(platform.reduction_bandwidth, factor);
  if (!platform.network) return platform;
  Network& network = *platform.network;
  scale(network.link, factor);
  if (network.interface) scale(network.interface->link, factor);
  if (auto* star = std::get_if<Star>(&network.topology)) {
    if (star->backbone) scale(*star->backbone, factor);
  } else if (auto* tree = std::get_if<FatTree>(&network.topology)) {
    for (auto& level : tree->levels) scale(level.link, factor);
  } else if (auto* torus = std::get_if<Torus>(&network.topology)) {
    for (auto& dimension : torus->dimensions) scale(dimension.link, factor);
  } else if (auto* dragonfly = std::get_if<Dragonfly>(&network.topology)) {
    for (auto* link : {&dragonfly->node_link, &dragonfly->local_link, &dragonfly->global_link})
      scale(*link, factor);
  }
  return platform;
}

}  // namespace reprise::platforms
