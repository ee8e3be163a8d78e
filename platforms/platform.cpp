// SPDX-License-Identifier: MIT
#include "platforms/platform.hpp"

namespace reprise::platforms {
namespace {

double factor_at(const std::vector<SizeFactor>& factors, Bytes size) {
  double factor = 1;
  for (const SizeFactor& step : factors) {
    if (size < step.from) break;
    factor = step.factor;
  }
  return factor;
}

}  // namespace

std::uint64_t FatTree::leaf_count() const {
  std::uint64_t leaves = 1;
  for (const Level& level : levels) leaves *= level.down;
  return leaves;
}

double Mpi::latency_factor(Bytes size) const { return factor_at(latency_factors, size); }
double Mpi::bandwidth_factor(Bytes size) const { return factor_at(bandwidth_factors, size); }

}  // namespace reprise::platforms
