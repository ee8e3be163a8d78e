// SPDX-License-Identifier: MIT
// Of many predictions: how likely is each to take the least time?
//
// Draws   of all predictions at once, from what is known of them (paired.hpp): means from the seeds' multivariate t, which all share, one step
//         of calibration for each machine, one network model for all. The same draws for the same predictions, on every machine.
// Cost    O(draws × predictions × seeds): 2 ms for ten predictions of eight seeds.
#pragma once

#include <vector>

#include "sim/confidence/paired.hpp"

namespace reprise::sim {

inline constexpr std::size_t kDraws = 4096;

// Shares of the draws in which each is the least; equal ones share. Empty where nothing is known of what scatters (no two seeds that all have,
// no calibration, no models). A prediction that has no time has 0.
std::vector<double> probability_of_least(const std::vector<Prediction>&);

}  // namespace reprise::sim
