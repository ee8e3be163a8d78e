// SPDX-License-Identifier: MIT
#include "platforms/path.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"

namespace reprise::platforms {
namespace {

std::optional<std::uint32_t> number_in(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Spot parse_spot(std::string_view text, const Platform& platform, const std::string& where) {
  const Nodes& nodes = platform.nodes;
  const auto named = [&](std::string_view name) -> std::optional<NodeIndex> {
    const auto found = std::find(nodes.names.begin(), nodes.names.end(), name);
    if (found != nodes.names.end()) return static_cast<NodeIndex>(found - nodes.names.begin());
    const auto number = number_in(name);
    return number && *number < nodes.count ? number : std::nullopt;
  };
  if (const auto node = named(text)) return {*node, 0};
  const std::size_t colon = text.rfind(':');
  const std::string_view name = text.substr(0, colon);
  const auto node = named(name);
  if (!node) {
    const auto nearest = nearest_word(name, nodes.names);
    throw InputError(where, "no node \"" + std::string(name) + "\" in " + platform.name,
                     nearest ? "did you mean \"" + *nearest + "\"?"
                             : "nodes have the numbers 0 to " + std::to_string(nodes.count - 1));
  }
  const auto core = number_in(text.substr(colon + 1));
  if (!core || *core >= nodes.cores_of(*node))
    throw InputError(
        where,
        "no core \"" + std::string(text.substr(colon + 1)) + "\" on node " + std::string(name),
        "cores have the numbers 0 to " + std::to_string(nodes.cores_of(*node) - 1));
  return {*node, *core};
}

Path::Path(const Platform& platform, const RouteTable& routes, Spot from, Spot to)
    : mpi_(platform.mpi_between(from.node, to.node)) {
  routes.find_route(platform.end_of(from.node, from.core), platform.end_of(to.node, to.core),
                    route_);
}

Seconds Path::message_time(Bytes size) const {
  const double handshake = is_rendezvous(size) && mpi_.rendezvous_handshake ? 2 : 0;
  return mpi_.send_overhead + route_.latency * (handshake + mpi_.latency_factor(size)) +
         Seconds{static_cast<double>(size.value) /
                 (route_.bandwidth.value * mpi_.bandwidth_factor(size))} +
         mpi_.recv_overhead;
}

BytesPerSecond Path::bandwidth() const {
  return BytesPerSecond{route_.bandwidth.value *
                        mpi_.bandwidth_factor(Bytes{std::numeric_limits<std::uint64_t>::max()})};
}

}  // namespace reprise::platforms
