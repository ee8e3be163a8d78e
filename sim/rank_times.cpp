// SPDX-License-Identifier: MIT
#include "sim/rank_times.hpp"

#include <algorithm>

namespace reprise::sim {

RankTimes total_times(const Outcome& outcome) {
  RankTimes sum;
  for (const RankOutcome& rank : outcome.ranks) {
    sum.compute += rank.compute;
    sum.communication += rank.communication;
    sum.wait += rank.wait;
    sum.finish += rank.finish;
  }
  return sum;
}

RankTimes mean_times(const Outcome& outcome) {
  const RankTimes sum = total_times(outcome);
  const auto ranks = static_cast<double>(std::max<std::size_t>(1, outcome.ranks.size()));
  return {Seconds{sum.compute.value / ranks}, Seconds{sum.communication.value / ranks},
          Seconds{sum.wait.value / ranks}, Seconds{sum.finish.value / ranks}};
}

double load_balance(const Outcome& outcome) {
  double most = 0;
  for (const RankOutcome& rank : outcome.ranks) most = std::max(most, rank.compute.value);
  return most > 0 ? mean_times(outcome).compute.value / most : 1;
}

}  // namespace reprise::sim
