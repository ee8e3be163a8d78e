// SPDX-License-Identifier: MIT
#include "sim/recorded_machine.hpp"

#include <algorithm>

#include "platforms/topologies/star.hpp"

namespace reprise::sim {
namespace {

struct Shape {
  std::uint32_t nodes = 1, cores = 1, recorded_cores = 0;
  bool oversubscribed = false;
};

Shape shape_of(const trace_io::Header& header) {
  Shape shape;
  shape.nodes = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(header.hosts.size()));
  std::uint32_t most_ranks = header.hosts.empty() ? static_cast<std::uint32_t>(header.ranks) : 0;
  for (const auto& host : header.hosts) {
    most_ranks = std::max(most_ranks, static_cast<std::uint32_t>(host.ranks.size()));
    shape.recorded_cores = std::max(shape.recorded_cores, host.cores);
  }
  shape.oversubscribed = shape.recorded_cores > 0 && most_ranks > shape.recorded_cores;
  shape.cores = std::max({1U, most_ranks, shape.recorded_cores});
  // a salvaged trace may not know all hosts
  const auto ranks = static_cast<std::uint32_t>(header.ranks);
  shape.cores = std::max(shape.cores, (ranks + shape.nodes - 1) / shape.nodes);
  return shape;
}

}  // namespace

platforms::Document recorded_machine(const trace_io::Header& header) {
  const Shape shape = shape_of(header);
  nlohmann::json platform = {
      {"format", 1U},  // unsigned, as a file's would be
      {"name", "recorded-machine"},
      {"source", "nodes and cores as recorded; the network is assumed"},
      {"nodes", {{"count", shape.nodes}, {"cores", shape.cores}}},
      {"intra_node", {{"bandwidth", "10 GB/s"}, {"latency", "0.3 us"}}},
      {"mpi",
       {{"eager_limit", "64 KiB"}, {"send_overhead", "0.3 us"}, {"recv_overhead", "0.3 us"}}}};
  if (shape.nodes > 1)
    platform["network"] = {{"topology", {{"kind", platforms::Star::kKind}}},
                           {"link", {{"bandwidth", "12.5 GB/s"}, {"latency", "0.6 us"}}}};
  return {platform, "(the machine of the recording)"};
}

bool was_oversubscribed(const trace_io::Header& header) {
  return std::ranges::any_of(header.hosts, [](const trace_io::Host& host) {
    return host.cores > 0 && static_cast<std::uint32_t>(host.ranks.size()) > host.cores;
  });
}

std::optional<platforms::Placement> recorded_placement(const trace_io::Header& header) {
  platforms::Placement placement(platforms::PlacementOrder::kListed);
  placement.file = "(the placement of the recording)";
  placement.nodes.resize(static_cast<std::size_t>(header.ranks));
  std::size_t placed = 0;
  for (std::size_t host = 0; host < header.hosts.size(); ++host)
    for (const Rank rank : header.hosts[host].ranks.ranks()) {
      placement.nodes[static_cast<std::size_t>(rank.value)] =
          static_cast<platforms::NodeIndex>(host);
      ++placed;
    }
  if (header.hosts.size() < 2 || placed != placement.nodes.size()) return std::nullopt;
  return placement;
}

std::string describe_recorded_machine(const trace_io::Header& header) {
  const Shape shape = shape_of(header);
  std::string text = "the machine of the recording (" + std::to_string(shape.nodes) +
                     (shape.nodes == 1 ? " node" : " nodes") + " of " +
                     std::to_string(shape.cores) + (shape.cores == 1 ? " core" : " cores");
  if (shape.oversubscribed)
    text += "; it was oversubscribed: it has " + std::to_string(shape.recorded_cores);
  text += ")";
  const std::string memory = std::string("its memory path assumed: ") + kAssumedMemoryPath;
  return text + ", " +
         (shape.nodes > 1 ? std::string("its network assumed: ") + kAssumedNetwork + ", " + memory
                          : memory);
}

}  // namespace reprise::sim
