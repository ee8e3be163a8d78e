// SPDX-License-Identifier: MIT
// A bin as the costs of Ward's rule see it (distribution.hpp).
#pragma once

#include "trace-io/model/distribution.hpp"

namespace reprise::trace_io {

struct BinWeight {
  double count, mean;
};

inline BinWeight weight_of(const Distribution::Bin& bin) {
  const auto count = static_cast<double>(bin.count);
  return {count, static_cast<double>(bin.sum) / count};
}

// What the sum of squared deviations grows by.
inline double cost_of_union(const BinWeight& a, const BinWeight& b) {
  const double distance = a.mean - b.mean;
  return a.count * b.count / (a.count + b.count) * distance * distance;
}

}  // namespace reprise::trace_io
