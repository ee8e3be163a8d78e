// SPDX-License-Identifier: MIT
// What latency, bandwidth and computing are worth in a neighbourhood of the machine, and from which factor on each costs 5 %: LLAMP's
// tolerance (Shen, Huang, Schneider, Hoefler, SC 2024), and what a gradient at one point (sensitivities.hpp) cannot tell.
//
// Elasticity  d ln T / d ln p: by how many per cent the run time grows where the parameter grows by one. Where the critical path's
//             gradient is exact (critical_path.hpp), what the path spends on the parameter, as a share of the time. Else the central
//             difference of two replays in the logarithm, with steps of 1 % where the run was replayed whole (then these are, too; up to
//             kMostWhole calls) and of 10 % where fast-forward estimates; for T = a + b·p that is off by less than h²/6 of it, h = 0.01 or 0.1. `uncertainty`: what the replays' own
//             error bounds may add.
// Neighbourhood  the run time need not be smooth, nor grow with the parameter (docs/MODEL.md, "Shorter latency,
//             longer run"). Where the slope over ± 10 % (30 %) is another one, the elasticity is that of the line of least squares
//             through the points of three steps, and `uncertainty` how far the slopes are from it.
// Threshold   the factor on the parameter at which the run takes 5 % longer: above 1 for latency and computing, below 1 for
//             bandwidth. Bracketed by powers of 4, then the Illinois variant of regula falsi (Dowell, Jarratt, BIT 11, 1971) to
//             0.1 % of the factor. It has to cost 5 % at 1.1 and 1.5 times that factor too; else the next crossing is looked for. None
//             where even a factor of 1024 costs less.
// Links       those between nodes; where all ranks run on one node, the path inside it.
// Cost        8 to 20 replays a parameter; fewer for those that change nothing. Deterministic: every replay has the same seed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/engine/critical_path/slopes.hpp"
#include "sim/experiment/details/detail.hpp"

namespace reprise::sim {

inline constexpr std::uint64_t kMostWhole = 2'000'000;

struct Tolerance {
  Parameter parameter = Parameter::latency;
  double elasticity = 0, uncertainty = 0;
  bool is_of_path = false;  // else of two replays
  std::optional<double> costs_5_percent_at;
};

struct Tolerances : Figure {
  std::vector<Tolerance> of;  // latency, bandwidth, compute

  nlohmann::ordered_json json() const override;
  std::string text() const override;
};

// REQUIRES: not the simgrid network.
Tolerances tolerances(const Replayed&);

}  // namespace reprise::sim
