// SPDX-License-Identifier: MIT
#include "sim/experiment/details/platform_variants.hpp"

#include <limits>

namespace reprise::sim {
namespace {

using platforms::LinkSpec;

}  // namespace

platforms::Platform with_ideal_network(platforms::Platform platform) {
  const auto ideal = [](LinkSpec& link) {
    link = {BytesPerSecond{std::numeric_limits<double>::infinity()}, Seconds{0},
            platforms::Sharing::kUncontended};
  };
  for (const auto& links : {node_links(platform), network_links(platform)})
    for (const auto& cable : links) ideal(*cable.link);
  platform.intra_node_per_receiver.reset();
  for (platforms::Mpi* mpi : {&platform.mpi, &platform.intra_node_mpi}) {
    mpi->send_overhead = mpi->recv_overhead = Seconds{0};
    mpi->copy_bandwidth.reset();
    mpi->acknowledgements.clear();
    mpi->cold_caches.clear();
    mpi->latency_factors.clear();
    mpi->bandwidth_factors.clear();
  }
  return platform;
}

platforms::Platform with_scaled_links(platforms::Platform platform, LinkQuantity quantity,
                                      LinkPlace place, double factor) {
  const auto scale = [=](LinkSpec& link) {
    if (quantity == LinkQuantity::latency)
      link.latency.value *= factor;
    else
      link.bandwidth.value *= factor;
  };
  for (const auto& cable :
       place == LinkPlace::network ? network_links(platform) : node_links(platform))
    scale(*cable.link);
  if (place == LinkPlace::inside_node && quantity == LinkQuantity::bandwidth &&
      platform.intra_node_per_receiver)
    platform.intra_node_per_receiver->value *= factor;
  return platform;
}

}  // namespace reprise::sim
