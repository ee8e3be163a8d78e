// SPDX-License-Identifier: MIT
// The ranks' times of an outcome summed, and their means (0 without ranks), in the order of the ranks: the one place that does.
#pragma once

#include "sim/outcome.hpp"

namespace reprise::sim {

struct RankTimes {
  Seconds compute, communication, wait, finish;
};
RankTimes total_times(const Outcome&);
RankTimes mean_times(const Outcome&);
// Mean computing over most computing of a rank (POP's load balance); 1 where nobody computes.
double load_balance(const Outcome&);

}  // namespace reprise::sim
