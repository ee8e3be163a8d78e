// SPDX-License-Identifier: MIT
#include "sim/study/offer_lines.hpp"

#include <algorithm>
#include <map>

namespace reprise::sim {

void add_against_best_along(const Study& study, const std::vector<RankedOffer>& best_first) {
  const auto does_vary = [](const Axis& axis) { return axis.values.size() > 1; };
  if (std::ranges::count_if(study.axes, does_vary) < 2) return;
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis) {
    if (!does_vary(study.axes[axis])) continue;
    std::map<std::vector<std::size_t>, const RankedOffer*> best;  // by the values on other axes
    for (const RankedOffer& offer : best_first) {
      auto others = *offer.values;
      others[axis] = 0;
      const auto [found, is_best] = best.try_emplace(std::move(others), &offer);
      if (!is_best)
        (*offer.json)["against_best_along"][study.axes[axis].name] =
            difference_json(*offer.merit, *found->second->merit);
    }
  }
}

}  // namespace reprise::sim
