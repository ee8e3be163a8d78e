// SPDX-License-Identifier: MIT
#include "platforms/tree_use.hpp"

#include <algorithm>
#include <cstdio>

#include "platforms/node_order.hpp"
#include "platforms/topologies/taper.hpp"

namespace reprise::platforms {
namespace {

constexpr double kRounding = 1e-9;  // of quotients of bandwidths

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

std::vector<std::string> remarks_on_tree(const Platform& platform, const SettingsUse& use) {
  if (!platform.network || use.between_nodes.sizes.is_empty()) return {};
  const auto taper = taper_of(platform.network->topology);
  if (!taper) return {};
  std::vector<std::string> remarks = taper_remarks(*taper);
  double most = 1;
  std::string narrow;  // levels
  const std::vector<std::string> lines = taper_lines(*taper);
  for (std::size_t i = 0; i < taper->levels.size(); ++i) {
    const double ratio = taper->levels[i].oversubscription();
    if (ratio <= 1 + kRounding) continue;
    most = std::max(most, ratio);
    narrow += (narrow.empty() ? "" : "; ") + lines[i + 1];
  }
  if (narrow.empty()) return remarks;
  // Those of the first level are called "node" (fat_tree.cpp).
  const auto is_above = [](const std::string& cable) {
    return cable == "spine" || cable.starts_with("leaf");
  };
  if (std::ranges::any_of(use.cables, is_above)) {
    remarks.push_back("the fat tree is oversubscribed: " + narrow +
                      " (\"up\" in /network/topology/levels counts the cables above each node or "
                      "switch)");
    return remarks;
  }
  char ratio[32];
  std::snprintf(ratio, sizeof ratio, "%.3g:1", most);
  remarks.push_back("no message leaves a leaf switch, so the oversubscription above (" +
                    std::string(ratio) + ") has no effect" + ways_out(platform, use));
  return remarks;
}

}  // namespace reprise::platforms
