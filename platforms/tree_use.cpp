// SPDX-License-Identifier: MIT
#include "platforms/tree_use.hpp"

#include <algorithm>
#include <cstdio>

#include "platforms/node_order.hpp"
#include "platforms/topologies/taper.hpp"

namespace reprise::platforms {
namespace {

// What makes messages leave the leaf switches, in brackets; nothing where ranks are below several of them and do not talk.
std::string ways_out(const Platform& platform, const SettingsUse& use) {
  const NodeIndex leaf = group_sizes(platform).front();
  if (platform.nodes.count <= leaf)
    return " (all " + std::to_string(platform.nodes.count) +
           " nodes are below one leaf switch; --set /nodes/count makes the machine larger)";
  const auto is_below_another = [&](const RankLocation& place) {
    return place.node / leaf != use.places.front().node / leaf;
  };
  if (std::ranges::any_of(use.places, is_below_another)) return "";
  return " (--placement cyclic@spread or block@spread uses several leaf switches)";
}

}  // namespace

std::optional<std::string> remark_on_tree(const Platform& platform, const SettingsUse& use) {
  if (!platform.network || use.between_nodes.sizes.is_empty()) return std::nullopt;
  const auto taper = taper_of(platform.network->topology);
  if (!taper || taper->levels.empty()) return std::nullopt;
  const double most =
      std::ranges::max(taper->levels, {}, &LevelWidth::oversubscription).oversubscription();
  if (most <= 1) return std::nullopt;
  // Those of the first level are called "node" (fat_tree.cpp).
  const auto is_above = [](const std::string& cable) {
    return cable == "spine" || cable.starts_with("leaf");
  };
  if (std::ranges::any_of(use.cables, is_above)) return std::nullopt;
  char ratio[32];
  std::snprintf(ratio, sizeof ratio, "%.3g:1", most);
  return "no message leaves a leaf switch, so the oversubscription above (" + std::string(ratio) +
         ") has no effect" + ways_out(platform, use);
}

}  // namespace reprise::platforms
