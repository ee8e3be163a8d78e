// SPDX-License-Identifier: MIT
#include "sim/answers/efficiencies.hpp"

#include <algorithm>

namespace reprise::sim {
namespace {

double ratio(double part, double whole) { return whole > 0 ? part / whole : 1; }

}  // namespace

Efficiencies efficiencies(const Outcome& outcome, const Outcome& ideal) {
  double sum = 0, most = 0;
  for (const auto& rank : outcome.ranks) {
    sum += rank.compute.value;
    most = std::max(most, rank.compute.value);
  }
  const double mean = outcome.ranks.empty() ? 0 : sum / static_cast<double>(outcome.ranks.size());
  const double time = outcome.predicted_time.value;
  Efficiencies result;
  result.ideal_time = ideal.predicted_time;
  result.parallel = ratio(mean, time);
  result.load_balance = ratio(mean, most);
  result.communication = ratio(most, time);
  result.serialisation = ratio(most, ideal.predicted_time.value);
  result.transfer = ratio(ideal.predicted_time.value, time);
  return result;
}

}  // namespace reprise::sim
