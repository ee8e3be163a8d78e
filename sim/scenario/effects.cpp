// SPDX-License-Identifier: MIT
#include "sim/scenario/effects.hpp"

namespace reprise::sim {

std::vector<std::string> placements_without_effect(std::span<const Change> changes,
                                                   const platforms::Platform& platform,
                                                   const platforms::SettingsUse& used) {
  const Change* placed = nullptr;  // the last one decides
  for (const Change& change : changes)
    if (std::holds_alternative<PlacementChange>(change.what)) placed = &change;
  if (placed == nullptr || std::get<PlacementChange>(placed->what).how == "block") return {};
  if (platforms::place_ranks(static_cast<std::uint32_t>(used.places.size()), platform, {}) !=
      used.places)
    return {};
  return {placed->place.text() + ": it places every rank where block does"};
}

}  // namespace reprise::sim
