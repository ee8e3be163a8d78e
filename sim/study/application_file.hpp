// SPDX-License-Identifier: MIT
// The applications of a study file: one ("trace", "record"), or a basket.
//
// Basket  "applications": [{"label", "trace" or "traces", "weight", "record", "placement", "ranks", "changes", "cases"}, …]. A case is
//         {AXIS: LABEL or labels, …, "changes", "placement", "ranks"}: what differs on those machines. Weights are divided by their sum.
// Costs   "electricity": {"price", "co2"}, "years".
// Errors  InputError at "FILE at /json/pointer": both a trace and a basket, weights that are negative or all 0, two labels alike.
#pragma once

#include <string>

#include "sim/study/study.hpp"

namespace reprise::sim {

// STUDY has its axes.
void parse_applications(platforms::ObjectReader& file, const std::string& folder, Study& study);
void parse_costs(platforms::ObjectReader& file, Study& study);

}  // namespace reprise::sim
