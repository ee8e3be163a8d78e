// SPDX-License-Identifier: MIT
// What each machine of a study is worth: the work of a basket, what it costs, and which offers no other one beats in both.
//
// An offer   a combination of the axes' values. Of application i it has the time T_i, on n_i of its N nodes; w_i are the weights, Σ w_i = 1.
//   speedup         Π (T_i at the baseline / T_i)^w_i, a weighted geometric mean of speed-ups
//   jobs per hour   3600 N / Σ w_i n_i T_i: the whole machine busy with jobs in the proportions of the weights; of machines of different size
//                   it compares only what their prices relate. Per node 3600 / Σ w_i n_i T_i.
//   energy          of a job on average: Σ w_i E_i, E_i = T_i (n_i (idle + (busy − idle) u_i) + network n_i / N); u_i: ranks a core, at most 1
//   total cost      price + 8766 h · years · power · tariff; power: N Σ w_i E_i / Σ w_i n_i T_i, of the whole machine while busy so
//   cost of a job   total cost / (jobs per hour · 8766 · years)
// Order      by jobs for the money where all offers have a price, else by speed-up. Offers that miss an application have none of these
//            figures, and name what is missing.
// First      offers that are alike (report/comparison.hpp) share the first place and its probability.
// Errors     InputError: two currencies.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/study/certainty.hpp"
#include "sim/study/inputs.hpp"

namespace reprise::sim {

// Adds "offers" to the results of a basket, and of a study whose machines have prices or power. RESULTS have their points; docs/STUDIES.md
// has the keys.
void add_offers(const Study&, const StudyInputs&, const std::vector<Point>&,
                const std::vector<SeedRows>&, nlohmann::ordered_json& results);

// "there is no recording with 64 ranks (there are 16 and 32)"; empty where there is one for the point.
std::string missing_recording(const Study&, const StudyInputs&, const Point&);

}  // namespace reprise::sim
