// SPDX-License-Identifier: MIT
// How sure a study's results are: bands of the predicted times, comparisons seed by seed, the ranking with probabilities.
//
// Added to each point that has a time (docs/STUDIES.md has the keys):
//   band            the run time's, with the shares of what it is made of
//   against_fastest its time over that of the fastest point of the same application, and how likely it is really the shorter
//   probability_fastest   that of all points of the application it is
//   effects         for each axis: its time over that of the point which differs on this axis alone and is at the baseline there
//   against_first_application  of two applications: of the second, its time over that of the first at the same point
//   speedup_band    of `speedup`
// and to the results `certainty`: the probability of all bands, and what they lack. Sources of doubt that were not measured are left out of the bands and listed.
// Equations are in sim/confidence. The least seed of a point tells its calibration and its network models.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "sim/confidence/paired.hpp"
#include "sim/study/study.hpp"

namespace reprise::sim {

using SeedRows =
    std::vector<const nlohmann::ordered_json*>;  // by seed, nullptr where there is none

// Its log_times hold NaN where a seed has no time.
Prediction prediction_of(const Study&, const Point&, const SeedRows&);
bool has_time(const Prediction&);

// {"ratio","low","high","probability"}: the time of A over that of B; the probability, that A takes less, is null where nothing is known.
nlohmann::ordered_json difference_json(const Prediction& a, const Prediction& b);
// Bounds of the time itself, and the shares; null where nothing is known.
nlohmann::ordered_json band_json(const Prediction&);

// RESULTS: "points" in the order of POINTS, each with its times and speed-up. ROWS likewise.
// HAS_ORDER: compute times were recorded in their order, so that seeds leave them in it.
void add_certainty(const Study&, const std::vector<Point>& points,
                   const std::vector<SeedRows>& rows, bool has_order,
                   nlohmann::ordered_json& results);

}  // namespace reprise::sim
