// SPDX-License-Identifier: MIT
#include "sim/experiment/platform_variants.hpp"

#include <limits>
#include <variant>

namespace reprise::sim {
namespace {

using platforms::LinkSpec;

template <class Change>
struct TopologyLinks {
  Change change;
  void operator()(platforms::Star& star) const {
    if (star.backbone) change(*star.backbone);
  }
  void operator()(platforms::FatTree& tree) const {
    for (auto& level : tree.levels) change(level.link);
  }
  void operator()(platforms::Torus& torus) const {
    for (auto& dimension : torus.dimensions) change(dimension.link);
  }
  void operator()(platforms::Dragonfly& dragonfly) const {
    change(dragonfly.node_link);
    change(dragonfly.local_link);
    change(dragonfly.global_link);
  }
};

template <class Change>
void for_network_links(platforms::Platform& platform, Change change) {
  if (!platform.network) return;
  change(platform.network->link);
  if (platform.network->interface) change(platform.network->interface->link);
  std::visit(TopologyLinks<Change>{change}, platform.network->topology);
}

template <class Change>
void for_node_links(platforms::Platform& platform, Change change) {
  change(platform.intra_node);
  change(platform.inter_socket);
}

}  // namespace

platforms::Platform with_ideal_network(platforms::Platform platform) {
  const auto ideal = [](LinkSpec& link) {
    link = {BytesPerSecond{std::numeric_limits<double>::infinity()}, Seconds{0},
            platforms::Sharing::kUncontended};
  };
  for_network_links(platform, ideal);
  for_node_links(platform, ideal);
  platform.intra_node_per_receiver.reset();
  for (platforms::Mpi* mpi : {&platform.mpi, &platform.intra_node_mpi}) {
    mpi->send_overhead = mpi->recv_overhead = Seconds{0};
    mpi->copy_bandwidth.reset();
    mpi->acknowledgements.clear();
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
  if (place == LinkPlace::network)
    for_network_links(platform, scale);
  else
    for_node_links(platform, scale);
  if (place == LinkPlace::inside_node && quantity == LinkQuantity::bandwidth &&
      platform.intra_node_per_receiver)
    platform.intra_node_per_receiver->value *= factor;
  return platform;
}

}  // namespace reprise::sim
