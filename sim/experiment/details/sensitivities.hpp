// SPDX-License-Identifier: MIT
// By how many per cent the run gets longer where a parameter grows by one: of all parameters, from the one replay that there is.
//
// Elasticity   d ln T / d ln p: the critical path's gradient (critical_path.hpp) as a share of the time. With `rest`, what no parameter
//              scales, the absolute values' sum is 1 unless messages that share links make one of them change its sign.
// Uncertainty  0 where the gradient is exact. Else what it may be off by from the slope over ± 1 %, and the sentence why.
// Further off  it may be another: `tolerances` looks there, with replays.
// Cost         that of the critical path; no replay.
#pragma once

#include <string>
#include <vector>

#include "sim/engine/critical_path/slopes.hpp"
#include "sim/experiment/details/detail.hpp"

namespace reprise::sim {

struct Sensitivity {
  Parameter parameter = Parameter::rest;
  double elasticity = 0, uncertainty = 0;
};

struct Sensitivities : Figure {
  std::vector<Sensitivity> of;  // all parameters, in their order; `rest` last
  std::string why_not;          // exact; empty where they are

  nlohmann::ordered_json json() const override;
  std::string text() const override;
};

Sensitivities sensitivities(const Replayed&);

}  // namespace reprise::sim
