// SPDX-License-Identifier: MIT
// How much faster or slower a parameter can get before another path takes over, and how much faster before it no longer matters: what
// LLAMP finds as breakpoints of its linear programme (Shen, Huang, Schneider, Hoefler, SC 2024).
//
// Model   where messages do not share links the run time T is a maximum of sums of durations: convex and piecewise linear in the factor x on
//         those of one parameter. On one path T is on the line through T(1) with its slope there.
// Search  a replay at x tells T(x) and its slope. The lines at 1 and at an x where T is off the first cross nearer to 1; T is looked at
//         there; if it is on both lines, that is the breakpoint. As Newton's method for the smallest root of a piecewise linear convex
//         function, and where T is not convex (sharing), bisection of the factor.
// Matters while the elasticity is above 1 %; below, the parameter's share of the time is less than most machines' noise.
// Bracket both ends of what is left are given: the last factor with the same path, the first with another one. They are one where the lines
//         say it exactly.
// Cost    at most 8 replays a search, three searches a parameter; none beyond a factor of 1024.
#pragma once

#include <optional>
#include <vector>

#include "sim/engine/critical_path/slopes.hpp"
#include "sim/experiment/details/detail.hpp"

namespace reprise::sim {

// Factors on the parameter; below 1 or above, by its direction.
struct FactorBracket {
  double same_to = 1, other_from = 1;
};

struct TakeOver {
  Parameter parameter = Parameter::latency;
  // Nothing: the same path up to a factor of 1024.
  std::optional<FactorBracket> faster, slower;
  // Up to where it matters, and from where on it does not. Nothing: it does even 1024 times as fast. Both 1: it does not now.
  std::optional<FactorBracket> negligible;
  int replays = 0;
};

struct TakeOvers : Figure {
  std::vector<TakeOver> of;  // latency, bandwidth, compute

  nlohmann::ordered_json json() const override;
  std::string text() const override;
};

// REQUIRES: not the simgrid network.
TakeOvers take_overs(const Replayed&);

}  // namespace reprise::sim
