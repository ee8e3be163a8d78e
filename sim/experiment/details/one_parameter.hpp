// SPDX-License-Identifier: MIT
// A run on machines of which one parameter is another: latency or bandwidth of the links between nodes, or of the path inside the node where
// all ranks share one; computing.
#pragma once

#include <utility>

#include "sim/engine/critical_path/slopes.hpp"
#include "sim/experiment/details/detail.hpp"
#include "sim/experiment/details/platform_variants.hpp"

namespace reprise::sim {

class OneParameter {
 public:
  // PARAMETER: latency, bandwidth or compute. REQUIRES: replayed with the critical path watched.
  OneParameter(const Replayed&, Parameter parameter);

  // The run time with its durations that many times as long, in seconds, and its slope: seconds per factor (slopes.hpp). A replay.
  std::pair<double, double> at(double factor) const;
  // The same at 1, without one.
  std::pair<double, double> base() const;

 private:
  const Replayed& replayed_;
  const Parameter parameter_;
  LinkPlace place_ = LinkPlace::network;
};

// The parameter of the links at that place.
Parameter parameter_at(Parameter parameter, LinkPlace);
// Those of the nodes where all ranks run on one, else those between nodes.
LinkPlace links_that_matter(const Replayed&);

}  // namespace reprise::sim
