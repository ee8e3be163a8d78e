// SPDX-License-Identifier: MIT
#include "platforms/tree_use.hpp"

#include <algorithm>
#include <cstdio>

#include "platforms/topologies/taper.hpp"

namespace reprise::platforms {

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
         ") has no effect (--placement FILE can use nodes of several leaf switches)";
}

}  // namespace reprise::platforms
