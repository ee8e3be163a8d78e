// SPDX-License-Identifier: MIT
#include "platforms/node_order.hpp"

#include <algorithm>
#include <numeric>
#include <variant>

#include "platforms/shuffle.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::platforms {

NodeOrder parse_node_order(std::string_view text, const std::string& where) {
  const std::string choices = "one of: first, spread, random:SEED";
  if (text.empty()) throw InputError(where, "the order of nodes is empty", choices);
  const std::size_t colon = text.find(':');
  const std::string kind(text.substr(0, colon));
  if (kind == "random") {
    NodeOrder order{NodeOrder::Kind::kRandom};
    if (colon != std::string_view::npos) order.seed = parse_count(text.substr(colon + 1), where);
    return order;
  }
  if (kind == "first" || kind == "spread") {
    if (colon != std::string_view::npos)
      throw InputError(where, "the order of nodes \"" + kind + "\" takes no argument",
                       "only random does: random:SEED");
    return {kind == "first" ? NodeOrder::Kind::kFirst : NodeOrder::Kind::kSpread};
  }
  const auto nearest = nearest_word(kind, {"first", "spread", "random"});
  throw InputError(where, "unknown order of nodes \"" + std::string(text) + '"',
                   nearest ? "did you mean \"" + *nearest + "\"?" : choices);
}

std::string name_of(const NodeOrder& order) {
  switch (order.kind) {
    case NodeOrder::Kind::kSpread:
      return "spread";
    case NodeOrder::Kind::kRandom:
      return "random:" + std::to_string(order.seed);
    default:
      return "first";
  }
}

std::string suffix_of(const NodeOrder& order) {
  return order.kind == NodeOrder::Kind::kFirst ? "" : "@" + name_of(order);
}

std::vector<NodeIndex> group_sizes(const Platform& platform) {
  if (!platform.network) return {};
  return std::visit([](const auto& topology) { return topology.group_sizes(); },
                    platform.network->topology);
}

std::vector<NodeIndex> ordered_nodes(const Platform& platform, const NodeOrder& order) {
  std::vector<NodeIndex> nodes(platform.nodes.count);
  std::iota(nodes.begin(), nodes.end(), NodeIndex{0});
  if (order.kind == NodeOrder::Kind::kRandom) shuffle(nodes, order.seed);
  if (order.kind != NodeOrder::Kind::kSpread) return nodes;
  // By each digit but the outermost, by which they are sorted; the innermost is the last, and so decides first.
  const std::vector<NodeIndex> sizes = group_sizes(platform);
  for (std::size_t i = sizes.size(); i-- > 0;) {
    const NodeIndex inner = i == 0 ? 1 : sizes[i - 1];
    std::ranges::stable_sort(
        nodes, {}, [size = sizes[i], inner](NodeIndex node) { return node % size / inner; });
  }
  return nodes;
}

std::optional<std::string> why_as_first(const Platform& platform, const NodeOrder& order) {
  if (order.kind != NodeOrder::Kind::kSpread) return std::nullopt;
  if (!platform.network) return "there is one node";
  const std::vector<NodeIndex> sizes = group_sizes(platform);
  const auto size = std::ranges::find_if(sizes, [](NodeIndex nodes) { return nodes > 1; });
  if (size == sizes.end())
    return "its topology (" +
           std::visit([](const auto& topology) { return topology.description(); },
                      platform.network->topology) +
           ") has no groups of nodes";
  if (platform.nodes.count > *size) return std::nullopt;
  return "all " + std::to_string(platform.nodes.count) +
         " nodes are in one group, which has room for " + std::to_string(*size);
}

}  // namespace reprise::platforms
