// SPDX-License-Identifier: MIT
#include "platforms/platform.hpp"

#include <algorithm>
#include <limits>

namespace reprise::platforms {
namespace {

double factor_at(const std::vector<SizeFactor>& factors, Bytes size) {
  double factor = 1;
  for (const SizeFactor& step : factors) {
    if (size < step.from) break;
    factor = step.factor;
  }
  return factor;
}

}  // namespace

std::uint32_t Nodes::cores_of(std::uint32_t node) const {
  for (const NodeGroup& group : groups) {
    if (node < group.count) return group.cores;
    node -= group.count;
  }
  return cores;
}

std::optional<FlopPerSecond> Nodes::core_speed_of(std::uint32_t node) const {
  for (const NodeGroup& group : groups) {
    if (node < group.count) return group.core_speed;
    node -= group.count;
  }
  return core_speed;
}

double Nodes::relative_speed_of(std::uint32_t node) const {
  for (const NodeGroup& group : groups) {
    if (node < group.count) return group.relative_speed;
    node -= group.count;
  }
  return relative_speed;
}

std::optional<BytesPerSecond> Nodes::memory_bandwidth_of(std::uint32_t node) const {
  for (const NodeGroup& group : groups) {
    if (node < group.count) return group.memory_bandwidth;
    node -= group.count;
  }
  return memory_bandwidth;
}

std::uint64_t Nodes::core_count() const {
  if (groups.empty()) return std::uint64_t{count} * cores;
  std::uint64_t sum = 0;
  for (const NodeGroup& group : groups) sum += std::uint64_t{group.count} * group.cores;
  return sum;
}

double Mpi::latency_factor(Bytes size) const { return factor_at(latency_factors, size); }
double Mpi::bandwidth_factor(Bytes size) const { return factor_at(bandwidth_factors, size); }

double Mpi::head_latency_factor(Bytes size) const {
  const double factor = latency_factor(size);
  return factors_apply_to == FactorsApplyTo::kLinks ? factor
                                                    : std::min(factor, latency_factor(Bytes{}));
}

Passage Mpi::passage(Bytes size, Seconds latency, BytesPerSecond bandwidth) const {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  const double bytes = static_cast<double>(size.value), factor = bandwidth_factor(size),
               head = head_latency_factor(size);
  if (factors_apply_to == FactorsApplyTo::kLinks) return {head, bytes / factor, kAny};
  const double wire = bytes / std::max(1.0, factor), later = latency_factor(size) - head;
  const double body = latency.value * later + bytes / (factor * bandwidth.value);
  const bool is_bound = later > 0 || factor < 1;  // not by the links alone
  return {head, wire, is_bound && body > 0 ? wire / body : kAny};
}

Seconds Mpi::copy_time(Bytes size) const {
  if (!copy_bandwidth) return {};
  return Seconds{static_cast<double>(size.value) /
                 (copy_bandwidth->value * factor_at(copy_factors, size))};
}

Seconds Mpi::acknowledgement(Bytes size) const {
  Seconds time;
  for (const SizeTime& step : acknowledgements) {
    if (size < step.from) break;
    time = step.time;
  }
  return time;
}

Seconds Platform::reduction_time(Bytes size) const {
  if (!reduction_bandwidth) return {};
  return Seconds{static_cast<double>(size.value) /
                 (reduction_bandwidth->value * factor_at(reduction_factors, size))};
}

std::uint32_t Platform::end_of(std::uint32_t node, std::uint32_t core) const {
  const std::uint32_t interfaces = interfaces_by_core(), cores = nodes.cores_of(node);
  const auto part = [&](std::uint32_t parts) { return core * parts / cores; };
  return node * ends_per_node() + part(nodes.sockets) + part(interfaces) -
         part(std::gcd(nodes.sockets, interfaces));
}

std::vector<Cable> node_links(Platform& platform) {
  const double nodes = platform.nodes.count;
  std::vector<Cable> links{{"intra-node", "/intra_node", &platform.intra_node,
                            nodes * platform.nodes.sockets, "intra-node", kOneLink}};
  if (platform.nodes.sockets > 1)
    links.push_back({"inter-socket", "/intra_node/between_sockets", &platform.inter_socket, nodes,
                     "inter-socket", kOneLink});
  return links;
}

std::vector<Cable> network_links(Platform& platform) {
  if (!platform.network) return {};
  Network& network = *platform.network;
  const NodeIndex nodes = platform.nodes.count;
  std::vector<Cable> links;
  if (network.interface)
    links.push_back({"interface",
                     "/network/interface",
                     &network.interface->link,
                     static_cast<double>(nodes) * network.interface->separate(),
                     "interface",
                     {" out", " in"}});
  bool is_cable = false;  // the network's link itself
  for (Cable& cable : cables_of(network.topology, network.link, nodes)) {
    is_cable = is_cable || cable.link == &network.link;
    links.push_back(std::move(cable));
  }
  if (!is_cable) links.push_back({"", "/network/link", &network.link, 0, "", kOneLink});
  return links;
}

}  // namespace reprise::platforms
