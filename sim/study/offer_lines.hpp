// SPDX-License-Identifier: MIT
// What each axis does to offers: those that differ on it alone are a line, and are compared with the best of their line.
//
// Cost    O(offers × axes × seeds).
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "sim/study/certainty.hpp"

namespace reprise::sim {

struct RankedOffer {
  const std::vector<std::size_t>* values = nullptr;  // by axis
  const Prediction* merit = nullptr;                 // the logarithm of a cost or of a time
  nlohmann::ordered_json* json = nullptr;
};

// Adds "against_best_along" to the offers that are not the best of a line: {axis: {"ratio","low","high","probability"}}, as "against_best" has
// them, of each axis on which an offer is not the best. Nothing where fewer than two axes vary: the only line has all offers.
// REQUIRES: offers that have all their times, the best first.
void add_against_best_along(const Study&, const std::vector<RankedOffer>& best_first);

}  // namespace reprise::sim
